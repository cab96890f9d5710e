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
            return await retry(queued, nil, reason: reason)
        }
        guard payload.notice != .nothing else { return await settle(queued) { try await store.remove(queued.id) } }
        let end = queued.createdAt.addingTimeInterval(Double(payload.usefulSeconds))
        guard claimedAt < end else {
            return await giveUp(queued, payload, reason: "its useful life has ended")
        }
        guard let app = apps[queued.app] else {
            let reason = "its app is not configured here"
            return await retry(queued, payload, reason: reason)
        }
        let worker: DeliveryChannelWorker
        switch payload.recipient {
        case .email: worker = email
        case .phoneNumber: worker = sms
        }
        guard let message = OutgoingMessage(payload, of: queued, presentedBy: app, at: claimedAt) else { return }
        let job = DeliveryJob(
            queued: queued, message: message, payload: payload,
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
        await tracing.run("deliver message", .internal, continuing: job.payload.trace) { _, _ in
            await deliverTraced(job, by: sender)
        }
    }

    private func deliverTraced(_ job: DeliveryJob, by sender: any MessageSender) async {
        // The job waited so long that another worker may claim its message soon. It is claimed again when the claim
        // ends.
        guard system.now() < job.startBefore else { return }
        do throws(DeliveryFailure) {
            try await sender.deliver(job.message)
        } catch {
            return switch error {
            case .cancelled: await handBack(job)
            case .permanent(let reason): await giveUp(job.queued, job.payload, reason: reason)
            case .temporary(let reason): await retry(job.queued, job.payload, reason: reason)
            }
        }
        await finish(job.queued, record(of: job.queued, job.payload, as: .sent))
        logger.debug("message delivered", metadata: describe(job.queued, to: job.message.recipient.masked))
    }

    /// Releases a claim, so that another worker, or this one after its restart, can claim the message immediately.
    func handBack(_ job: DeliveryJob) async {
        await settle(job.queued) { try await store.postpone(job.queued.id, until: system.now()) }
    }

    /// - Parameter payload: The content; nil for a message that cannot be decrypted.
    private func retry(_ queued: QueuedMessage, _ payload: NotificationPayload?, reason: String) async {
        let next = schedule.nextAttempt(
            queuedAt: queued.createdAt, failedAt: system.now(), usefulSeconds: Self.usefulSeconds(payload),
            chance: chance())
        guard let next else {
            return await giveUp(queued, payload, reason: "\(reason); it would arrive too late")
        }
        logger.warning(
            "message not delivered; it will be retried",
            metadata: describe(queued, to: payload?.recipient.masked, reason: reason))
        await settle(queued) { try await store.postpone(queued.id, until: next, error: reason) }
    }

    private func giveUp(_ queued: QueuedMessage, _ payload: NotificationPayload?, reason: String) async {
        logger.error("message discarded", metadata: describe(queued, to: payload?.recipient.masked, reason: reason))
        await finish(queued, record(of: queued, payload, as: .failed, lastError: reason))
    }

    /// Removes a message from the queue, keeps its record and counts its result.
    private func finish(_ queued: QueuedMessage, _ record: MessageRecord) async {
        counts.add(channel: record.result.channel, record.outcome)
        await settle(queued) { try await store.settle(record) }
    }

    /// Returns what is kept of a message that leaves the queue. The content of one that failed is kept for as long as it is of
    /// use, so that an administrator can have it sent again.
    private func record(
        of queued: QueuedMessage, _ payload: NotificationPayload?, as outcome: MessageOutcome,
        lastError: String? = nil
    ) -> MessageRecord {
        let now = system.now()
        let end = queued.createdAt.addingTimeInterval(Double(Self.usefulSeconds(payload)))
        return MessageRecord(
            id: queued.id, app: queued.app, description: payload?.description(in: queued.app, keys), outcome: outcome,
            attempts: queued.attempts, lastError: lastError, createdAt: queued.createdAt, settledAt: now,
            usefulUntil: end, sealed: outcome == .failed && now < end ? queued.sealed : nil)
    }

    private static func usefulSeconds(_ payload: NotificationPayload?) -> Int { payload?.usefulSeconds ?? 24 * 3600 }

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
