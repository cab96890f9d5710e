import Foundation
import Logging
import OstiaryCore
import OstiaryEngine

extension DeliveryWorker {
    /// Opens a claimed message, composes its text and enqueues it for its channel.
    func dispatch(_ queued: QueuedMessage, claimedAt: Date, email: DeliveryChannelWorker, sms: DeliveryChannelWorker)
        async
    {
        let payload: NotificationPayload
        do {
            payload = try NotificationPayload(opening: queued, with: keys)
        } catch {
            // Another node may have the right key, so the message is not discarded immediately.
            let reason = "it cannot be decrypted with this encryption key"
            return await retry(queued, usefulSeconds: 24 * 3600, reason: reason, to: nil)
        }
        guard payload.notice != .nothing else {
            return await settle(queued) { try await store.remove(queued.id, counting: nil) }
        }
        let end = queued.createdAt.addingTimeInterval(Double(payload.usefulSeconds))
        guard claimedAt < end else {
            return await giveUp(queued, reason: "its useful life has ended", to: payload.recipient)
        }
        guard let app = apps[queued.app] else {
            let reason = "its app is not configured here"
            return await retry(
                queued, usefulSeconds: payload.usefulSeconds, reason: reason, to: payload.recipient)
        }
        let worker: DeliveryChannelWorker
        switch payload.recipient {
        case .email: worker = email
        case .phoneNumber: worker = sms
        }
        guard let message = OutgoingMessage(payload, of: queued, presentedBy: app, at: claimedAt) else { return }
        let job = DeliveryJob(
            queued: queued, message: message, usefulSeconds: payload.usefulSeconds,
            startBefore: claimedAt.addingTimeInterval(settings.claimSeconds - settings.senderSeconds))
        if !worker.take(job) {
            logger.warning(
                "the queue of the channel is full; the message waits",
                metadata: describe(queued, to: message.recipient.masked))
            await settle(queued) {
                let wait = settings.crowdedSeconds * (0.5 + chance())
                try await store.postpone(queued.id, until: system.now().addingTimeInterval(wait))
            }
        }
    }

    func deliver(_ job: DeliveryJob, by sender: any MessageSender) async {
        // The job waited so long that another worker may claim its message soon. It is claimed again when the claim
        // ends.
        guard system.now() < job.startBefore else { return }
        let recipient = job.message.recipient
        do throws(DeliveryFailure) {
            try await sender.deliver(job.message)
        } catch {
            return switch error {
            case .cancelled: await handBack(job)
            case .permanent(let reason): await giveUp(job.queued, reason: reason, to: recipient)
            case .temporary(let reason):
                await retry(job.queued, usefulSeconds: job.usefulSeconds, reason: reason, to: recipient)
            }
        }
        await finish(job.queued, .sent, to: recipient)
        logger.debug("message delivered", metadata: describe(job.queued, to: recipient.masked))
    }

    /// Releases a claim, so that another worker, or this one after its restart, can claim the message immediately.
    func handBack(_ job: DeliveryJob) async {
        await settle(job.queued) { try await store.postpone(job.queued.id, until: system.now()) }
    }

    private func retry(_ queued: QueuedMessage, usefulSeconds: Int, reason: String, to recipient: Recipient?) async {
        let next = schedule.nextAttempt(
            queuedAt: queued.createdAt, failedAt: system.now(), usefulSeconds: usefulSeconds, chance: chance())
        guard let next else {
            return await giveUp(queued, reason: "\(reason); it would arrive too late", to: recipient)
        }
        logger.warning(
            "message not delivered; it will be retried",
            metadata: describe(queued, to: recipient?.masked, reason: reason))
        await settle(queued) { try await store.postpone(queued.id, until: next) }
    }

    private func giveUp(_ queued: QueuedMessage, reason: String, to recipient: Recipient?) async {
        logger.error("message discarded", metadata: describe(queued, to: recipient?.masked, reason: reason))
        await finish(queued, .failed, to: recipient)
    }

    /// Removes a message and counts its outcome, in one commit.
    ///
    /// - Parameter recipient: Nil for a message that could not be decrypted.
    private func finish(_ queued: QueuedMessage, _ outcome: MessageOutcome, to recipient: Recipient?) async {
        let channel = recipient?.channelName ?? "unknown"
        counts.add(channel: channel, outcome)
        await settle(queued) {
            try await store.remove(
                queued.id, counting: MessageResult(channel: channel, outcome: outcome, at: system.now()))
        }
    }

    /// Records the outcome of a message, in a task that is not cancelled with the caller's: a cancellation in between
    /// would send the message twice.
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
        system.randomBytes(2).reduce(0) { $0 * 256 + Double($1) } / 65536
    }

    private func describe(_ queued: QueuedMessage, to recipient: String?, reason: String? = nil) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "message": "\(queued.id)", "app": "\(queued.app)", "to": "\(recipient ?? "?")",
            "attempt": "\(queued.attempts)",
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

    /// The name of the channel in statistics.
    var channelName: String {
        switch self {
        case .email: "email"
        case .phoneNumber: "sms"
        }
    }
}
