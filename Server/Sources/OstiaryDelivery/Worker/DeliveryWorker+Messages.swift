import Foundation
import Logging
import OstiaryCore
import OstiaryEngine

extension DeliveryWorker {
    /// Opens a claimed message, composes its text and enqueues it on its lane.
    func dispatch(_ queued: QueuedMessage, claimedAt: Date, email: Lane, sms: Lane) async {
        let letter: Letter
        do {
            letter = try Letter(opening: queued, with: keys)
        } catch {
            // Another node may have the right key, so the message is not discarded immediately.
            let reason = "it cannot be opened with this encryption key"
            return await retry(queued, usefulSeconds: 24 * 3600, reason: reason, to: "?")
        }
        guard letter.notice != .nothing else { return await settle(queued) { try await store.remove(queued.id) } }
        let end = queued.createdAt.addingTimeInterval(Double(letter.usefulSeconds))
        guard claimedAt < end else {
            return await giveUp(queued, reason: "it is too old to be of use", to: letter.recipient.masked)
        }
        guard let app = apps[queued.app] else {
            let reason = "its app is not configured here"
            return await retry(queued, usefulSeconds: letter.usefulSeconds, reason: reason, to: letter.recipient.masked)
        }
        let lane: Lane
        switch letter.recipient {
        case .email: lane = email
        case .phoneNumber: lane = sms
        }
        guard let message = OutgoingMessage(letter, of: queued, presentedBy: app, at: claimedAt) else { return }
        let parcel = Parcel(
            queued: queued, message: message, usefulSeconds: letter.usefulSeconds,
            startBefore: claimedAt.addingTimeInterval(settings.claimSeconds - settings.carrierSeconds))
        if !lane.take(parcel) {
            logger.warning("no room for a message; it waits", metadata: describe(queued, to: message.recipient.masked))
            await settle(queued) {
                let wait = settings.crowdedSeconds * (0.5 + chance())
                try await store.postpone(queued.id, until: surroundings.now().addingTimeInterval(wait))
            }
        }
    }

    func deliver(_ parcel: Parcel, by carrier: any Carrier) async {
        // It waited so long in the lane that another worker may claim it soon. It is claimed again when the claim ends.
        guard surroundings.now() < parcel.startBefore else { return }
        let recipient = parcel.message.recipient.masked
        do throws(DeliveryFailure) {
            try await carrier.deliver(parcel.message)
        } catch {
            return switch error {
            case .cancelled: await handBack(parcel)
            case .permanent(let reason): await giveUp(parcel.queued, reason: reason, to: recipient)
            case .temporary(let reason):
                await retry(parcel.queued, usefulSeconds: parcel.usefulSeconds, reason: reason, to: recipient)
            }
        }
        await settle(parcel.queued) { try await store.remove(parcel.queued.id) }
        logger.debug("message delivered", metadata: describe(parcel.queued, to: recipient))
    }

    /// Releases a claim, so that another worker, or this one after its restart, can claim the message immediately.
    func handBack(_ parcel: Parcel) async {
        await settle(parcel.queued) { try await store.postpone(parcel.queued.id, until: surroundings.now()) }
    }

    private func retry(_ queued: QueuedMessage, usefulSeconds: Int, reason: String, to recipient: String) async {
        let next = schedule.nextAttempt(
            queuedAt: queued.createdAt, failedAt: surroundings.now(), usefulSeconds: usefulSeconds, chance: chance())
        guard let next else {
            return await giveUp(queued, reason: "\(reason); it would come too late", to: recipient)
        }
        logger.warning(
            "message not delivered; it will be tried again", metadata: describe(queued, to: recipient, reason: reason))
        await settle(queued) { try await store.postpone(queued.id, until: next) }
    }

    private func giveUp(_ queued: QueuedMessage, reason: String, to recipient: String) async {
        logger.error("message given up", metadata: describe(queued, to: recipient, reason: reason))
        await settle(queued) { try await store.remove(queued.id) }
    }

    /// Records the outcome of a message, in a task that is not cancelled with the caller's: a cancellation in between
    /// would send the message twice.
    /// twice.
    private func settle(_ queued: QueuedMessage, _ write: @escaping @Sendable () async throws -> Void) async {
        let writing = Task {
            do {
                try await write()
            } catch {
                logger.error(
                    "the outbox cannot be written; a message may be sent twice",
                    metadata: ["message": "\(queued.id)", "error": "\(error)"])
            }
        }
        await writing.value
    }

    /// Returns a random number from 0 up to 1.
    private func chance() -> Double {
        surroundings.randomBytes(2).reduce(0) { $0 * 256 + Double($1) } / 65536
    }

    private func describe(_ queued: QueuedMessage, to recipient: String, reason: String? = nil) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "message": "\(queued.id)", "app": "\(queued.app)", "to": "\(recipient)", "attempt": "\(queued.attempts)",
        ]
        if let reason { metadata["reason"] = "\(reason)" }
        return metadata
    }
}

extension Recipient {
    /// The masked address or number, for logs.
    var masked: String {
        switch self {
        case .email(let address): address.masked
        case .phoneNumber(let number): number.masked
        }
    }
}
