import Foundation
import Logging
import OstiaryCore
import OstiaryEngine

extension EventDeliveryWorker {
    /// Sends a claimed event, and records the outcome.
    func deliver(_ claim: ClaimedDelivery) async {
        await tracing.run("deliver event", .internal) { _, _ in await deliverTraced(claim) }
    }

    private func deliverTraced(_ claim: ClaimedDelivery) async {
        let begun = system.now()
        let start = ContinuousClock.now
        let result: Result<WebhookAnswer, WebhookFailure>
        do throws(WebhookFailure) {
            result = .success(try await sender.sendTraced(try request(of: claim, at: begun)))
        } catch {
            result = .failure(error)
        }
        if case .failure(.cancelled) = result {
            return await release(claim)
        }
        let attempt = EventDelivery.Attempt(
            at: begun, result, durationMilliseconds: Int((ContinuousClock.now - start) / .milliseconds(1)))
        await record(attempt, of: claim)
    }

    /// Makes a claimed event due at once, without an attempt.
    func release(_ claim: ClaimedDelivery) async {
        await settle(claim) { try await store.release(claim.delivery) }
    }

    private func request(of claim: ClaimedDelivery, at now: Date) throws(WebhookFailure) -> WebhookRequest {
        let secrets: [WebhookSecret]
        do { secrets = try claim.secrets.signingKeys(of: claim.endpoint.id, at: now, with: keys) } catch {
            throw .unreachable("the secret cannot be decrypted with this encryption key")
        }
        do {
            return WebhookRequest(
                to: claim.endpoint.url, id: claim.event.id,
                body: try EventBody(claim.event, for: claim.endpoint).bytes(),
                signedWith: secrets, at: now, timeout: settings.timeout)
        } catch {
            throw .unreachable("the event cannot be encoded")
        }
    }

    private func record(_ attempt: EventDelivery.Attempt, of claim: ClaimedDelivery) async {
        let attempts = claim.delivery.attempts + [attempt]
        let now = system.now()
        // 410 Gone asks for no further event.
        let isGone = attempt.status == 410
        let outcome: EventAttemptOutcome
        if attempt.isSuccess {
            outcome = .delivered
        } else if !isGone, let next = EventRetrySchedule.nextAttempt(after: attempts, at: now) {
            outcome = .retry(at: next)
        } else {
            outcome = .failed
        }
        await settle(claim) {
            try await store.finish(claim.delivery, attempts: attempts, outcome, at: now)
        }
        guard !attempt.isSuccess else { return logger.debug("event delivered", metadata: describe(claim)) }
        log(attempt, of: claim)
        if isGone || claim.endpoint.hasFailedTooLong(at: now) { await disable(claim.endpoint, isGone: isGone, at: now) }
    }

    private func disable(_ endpoint: EventEndpoint, isGone: Bool, at now: Date) async {
        do {
            let horizon = now.addingTimeInterval(-EventEndpoint.failureSeconds)
            let notice = try await notice(to: endpoint)
            let disabling = try await store.disable(
                endpoint.id, failingSince: isGone ? nil : horizon, notice: notice?.message, at: now)
            guard case .disabled(let refusal) = disabling else { return }
            logger.error(
                "an endpoint for events was disabled because it \(isGone ? "is gone" : "fails")",
                metadata: describe(endpoint))
            guard let notice else { return }
            guard let refusal else { return notices.wake() }
            await notice.limiter.report(refusal, by: notice.buckets, of: notice.recipient)
        } catch {
            logger.error("a failing endpoint was not disabled", metadata: ["error": "\(error)"])
        }
    }

    /// A message to the contact of an endpoint, with the caps that hold for it.
    private struct ContactNotice {
        var message: CountedMessage
        var recipient: Recipient
        var limiter: MessageLimiter
        var buckets: [MessageLimiter.CappedBucket]
    }

    /// Returns the message to the contact of an endpoint; nil without one, and for an app that the server no longer has.
    ///
    /// The message counts against the caps without the part that is kept for owners: an administrator's program that makes
    /// endpoints fail again and again neither floods a mailbox nor keeps its owner from a code.
    private func notice(to endpoint: EventEndpoint) async throws -> ContactNotice? {
        guard let contact = endpoint.contact, let limiter = limiter(endpoint.app) else { return nil }
        let recipient = Recipient.email(contact)
        let message = try await notices.seal(
            .eventEndpointDisabled(host: WebhookHost.shown(endpoint.url)), to: recipient, app: endpoint.app)
        let buckets = limiter.buckets(of: recipient, hasReserve: false)
        return ContactNotice(
            message: CountedMessage(message, within: buckets.map(\.bucket)), recipient: recipient, limiter: limiter,
            buckets: buckets)
    }

    /// Logs the first failure after a success as a warning: an endpoint that fails must not fill the log.
    private func log(_ attempt: EventDelivery.Attempt, of claim: ClaimedDelivery) {
        var metadata = describe(claim)
        metadata["reason"] = "\(attempt.status.map { "HTTP \($0)" } ?? attempt.error ?? "")"
        logger.log(
            level: claim.endpoint.failingSince == nil ? .warning : .debug,
            "event not delivered; it will be retried", metadata: metadata)
    }

    /// Records an outcome, in a task that is not cancelled with the caller's: a cancellation in between would send the event
    /// twice.
    private func settle(_ claim: ClaimedDelivery, _ write: @escaping @Sendable () async throws -> Void) async {
        let writing = Task {
            do {
                try await write()
            } catch {
                logger.error(
                    "the outcome of an event cannot be written; it may be sent twice",
                    metadata: ["delivery": "\(claim.delivery.id)", "error": "\(error)"])
            }
        }
        await writing.value
    }

    private func describe(_ claim: ClaimedDelivery) -> Logger.Metadata {
        describe(claim.endpoint).merging(
            [
                "delivery": "\(claim.delivery.id)", "event": "\(claim.event.id)", "type": "\(claim.event.type)",
                "attempt": "\(claim.delivery.attempts.count + 1)",
            ]
        ) { $1 }
    }

    private func describe(_ endpoint: EventEndpoint) -> Logger.Metadata {
        ["endpoint": "\(endpoint.id)", "app": "\(endpoint.app)", "host": "\(WebhookHost.shown(endpoint.url))"]
    }
}

extension EventEndpoint {
    fileprivate func hasFailedTooLong(at now: Date) -> Bool {
        failingSince.map { now.timeIntervalSince($0) >= Self.failureSeconds } ?? false
    }
}

extension EventDelivery.Attempt {
    fileprivate init(
        at begun: Date, _ result: Result<WebhookAnswer, WebhookFailure>, durationMilliseconds: Int
    ) {
        switch result {
        case .success(let answer):
            self.init(at: begun, status: answer.status, durationMilliseconds: durationMilliseconds)
        case .failure(let failure):
            self.init(at: begun, error: failure.reason, durationMilliseconds: durationMilliseconds)
        }
    }
}
