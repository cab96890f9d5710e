import OstiaryContracts
import OstiaryCore
import Synchronization

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Attests the app once, and sends requests with the key's assertions.
///
/// One request is in flight at a time: the server accepts the assertions of a key in the order in which they were made. A request
/// for which there is no assertion is sent without one, since a server that only monitors performs it.
actor AppAttestation {
    /// The time limit of one call of the service, which sets none itself.
    private static let serviceLimit = Duration.seconds(30)

    private nonisolated let service: any AppAttestService
    private nonisolated let system: ClientDependencies
    private nonisolated let storage = Mutex<AppAttestKeyStorage?>(nil)
    /// The id of the attested key.
    private var key: [UInt8]?
    /// A key that Apple's servers have not attested yet.
    private var pending: [UInt8]?
    /// The attestation in progress, or one whose key no request has used yet.
    private var attesting: Task<[UInt8]?, Never>?
    /// `true` after the server answered that it does not verify the app.
    private var isOff = false
    /// `true` after the server accepted a key in this process: it cannot have forgotten that one.
    private var isFresh = false
    private var isBusy = false
    private var waiting: [Waiter] = []
    private var lastWaiterID = 0

    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Result<Void, TransportError>, Never>
    }

    init(service: any AppAttestService, system: ClientDependencies) {
        self.service = service
        self.system = system
    }

    /// Sets the place where the key id is kept, before the first request.
    nonisolated func use(_ storage: AppAttestKeyStorage) { self.storage.withLock { $0 = storage } }

    /// Sends a request with an assertion.
    ///
    /// The server may have forgotten the key, so that a refused assertion is followed by one of a new key. The old key is kept
    /// until the server has accepted the new one.
    ///
    /// - Parameter end: The end of the request's time limit, which includes the wait for other requests and for the attestation.
    ///   An attestation goes on after it, and the next request uses its key.
    func send(
        _ request: WireRequest, by auth: RemoteAuth, until end: Duration
    ) async throws(TransportError) -> WireResponse {
        guard service.isSupported, auth.codec.endpoint(for: .attestKey) != nil else {
            return try await auth.send(request, until: end)
        }
        try await begin(until: end)
        defer { self.end() }
        guard let signed = try await asserting(request, by: auth, until: end) else {
            return try await auth.send(request, until: end)
        }
        let response = try await auth.send(signed, until: end)
        guard !isFresh, Self.isRefused(response, by: auth.codec), let new = try await newKey(by: auth, until: end),
            let signed = try? await sign(request, by: new, for: auth.baseURL, until: end)
        else { return response }
        let second = try await auth.send(signed, until: end)
        if !Self.isRefused(second, by: auth.codec) { await keep(new) }
        return second
    }

    // MARK: Keys

    private func attestedKey(by auth: RemoteAuth, until end: Duration) async throws(TransportError) -> [UInt8]? {
        if let key { return key }
        guard !isOff else { return nil }
        if let kept = await storage.withLock({ $0 })?.read() {
            key = kept
            return kept
        }
        guard let new = try await newKey(by: auth, until: end) else { return nil }
        await keep(new)
        return new
    }

    private func keep(_ new: [UInt8]?) async {
        key = new
        await storage.withLock { $0 }?.keep(new)
    }

    /// Returns the key of the attestation in progress, or of a new one.
    ///
    /// - Returns: The id of a key that the server has accepted; nil if the app cannot be attested now.
    /// - Throws: ``TransportError/timedOut`` at the end of the time limit, and the attestation goes on;
    ///   ``TransportError/cancelled``, and it ends.
    private func newKey(by auth: RemoteAuth, until end: Duration) async throws(TransportError) -> [UInt8]? {
        let attestation = attesting ?? Task { await attest(by: auth) }
        attesting = attestation
        let new: [UInt8]?
        do throws(TransportError) { new = try await value(of: attestation, until: end) } catch {
            if error == .cancelled {
                attestation.cancel()
                _ = await attestation.value
                attesting = nil
            }
            throw error
        }
        attesting = nil
        if new != nil { isFresh = true }
        return new
    }

    private func attest(by auth: RemoteAuth) async -> [UInt8]? {
        let new = await attestNewKey(by: auth)
        // After a failure that no request has waited for, the next one attests again.
        if new == nil { attesting = nil }
        return new
    }

    /// - Returns: The id of a key that the server has accepted; nil if the app cannot be attested now.
    private func attestNewKey(by auth: RemoteAuth) async -> [UInt8]? {
        do {
            let challenge = try await auth.call(BeginAttestation(), within: nil).challenge
            guard let bytes = Base64URL.decode(challenge.utf8) else { return nil }
            let (new, attestation) = try await attestation(for: Array(SHA256.hash(data: bytes)))
            _ = try await auth.call(
                AttestKey(
                    keyID: Base64URL.encode(new), attestation: Base64URL.encode(attestation), challenge: challenge),
                within: nil)
            return new
        } catch RemoteFailure.refused(.notFound) {
            isOff = true
            return nil
        } catch {
            return nil
        }
    }

    private func attestation(
        for clientDataHash: [UInt8]
    ) async throws(AppAttestFailure) -> (key: [UInt8], attestation: [UInt8]) {
        let new: [UInt8]
        if let pending {
            new = pending
        } else {
            new = try await limited(to: serviceEnd) { [service] () async throws(AppAttestFailure) -> [UInt8] in
                try await service.generateKey()
            }
        }
        pending = nil
        do {
            let attestation = try await limited(to: serviceEnd) {
                [service] () async throws(AppAttestFailure) -> [UInt8] in
                try await service.attestKey(new, clientDataHash: clientDataHash)
            }
            return (new, attestation)
        } catch {
            // Apple asks for the same key, so that a device does not count as many.
            if error == .unavailable { pending = new }
            throw error
        }
    }

    // MARK: Assertions

    /// - Returns: The request with an assertion; nil if the app cannot be attested now.
    private func asserting(
        _ request: WireRequest, by auth: RemoteAuth, until end: Duration
    ) async throws(TransportError) -> WireRequest? {
        for _ in 0..<2 {
            guard let key = try await attestedKey(by: auth, until: end) else { return nil }
            do throws(AppAttestFailure) {
                return try await sign(request, by: key, for: auth.baseURL, until: end)
            } catch {
                guard error == .invalidKey, !isFresh else { return nil }
                // The app was installed again, or its data moved to another device: another key is attested.
                await keep(nil)
            }
        }
        return nil
    }

    private func sign(
        _ request: WireRequest, by key: [UInt8], for baseURL: BaseURL, until end: Duration
    ) async throws(AppAttestFailure) -> WireRequest {
        let clientData = AppAssertionHeader.clientData(
            method: request.method, path: baseURL.path + request.path,
            bodySHA256: Array(SHA256.hash(data: request.body)))
        let clientDataHash = Array(SHA256.hash(data: clientData))
        let limit = min(end, serviceEnd)
        let assertion = try await limited(to: limit) { [service] () async throws(AppAttestFailure) -> [UInt8] in
            try await service.generateAssertion(key, clientDataHash: clientDataHash)
        }
        var request = request
        request.headers[AppAssertionHeader.name] = AppAssertionHeader.write(keyID: key, assertion: assertion)
        return request
    }

    private static func isRefused(_ response: WireResponse, by codec: Codec) -> Bool {
        response.status == 403 && codec.code(in: response) == AuthError.appAssertionRefused.code
    }

    // MARK: Time limits

    /// The end of the time limit of a call of the service that begins now.
    private var serviceEnd: Duration { system.uptime() + Self.serviceLimit }

    /// Performs one call of the service.
    ///
    /// - Throws: The error of the call; ``AppAttestFailure/unavailable`` at the time limit, or if the task is cancelled.
    private func limited(
        to end: Duration, _ call: @escaping @Sendable () async throws(AppAttestFailure) -> [UInt8]
    ) async throws(AppAttestFailure) -> [UInt8] {
        let work = Task { () -> Result<[UInt8], AppAttestFailure> in
            do throws(AppAttestFailure) { return .success(try await call()) } catch { return .failure(error) }
        }
        defer { work.cancel() }
        let outcome: Result<[UInt8], AppAttestFailure>
        do throws(TransportError) { outcome = try await value(of: work, until: end) } catch { throw .unavailable }
        return try outcome.get()
    }

    /// Waits for the value of a task, which goes on after the wait.
    ///
    /// - Throws: ``TransportError/timedOut`` at the end of the time limit; ``TransportError/cancelled``.
    private func value<Value: Sendable>(
        of work: Task<Value, Never>, until end: Duration
    ) async throws(TransportError) -> Value {
        let outcome = OneShot<Result<Value, TransportError>>()
        let timer = Task { [system] in
            guard (try? await system.sleep(until: end)) != nil else { return }
            outcome.end(.failure(.timedOut))
        }
        Task { outcome.end(.success(await work.value)) }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { outcome.begin($0) }
        } onCancel: {
            outcome.end(.failure(.cancelled))
        }.get()
    }

    // MARK: One request at a time

    /// - Throws: ``TransportError/timedOut`` at the end of the request's time limit; ``TransportError/cancelled``.
    private func begin(until end: Duration) async throws(TransportError) {
        guard isBusy else {
            isBusy = true
            return
        }
        lastWaiterID += 1
        let id = lastWaiterID
        let timer = Task {
            guard (try? await system.sleep(until: end)) != nil else { return }
            stopWaiting(id, with: .timedOut)
        }
        defer { timer.cancel() }
        try await withTaskCancellationHandler {
            await withCheckedContinuation { waiting.append(Waiter(id: id, continuation: $0)) }
        } onCancel: {
            Task { await self.stopWaiting(id, with: .cancelled) }
        }.get()
    }

    private func end() {
        if waiting.isEmpty {
            isBusy = false
        } else {
            waiting.removeFirst().continuation.resume(returning: .success(()))
        }
    }

    /// Ends the wait of a request, unless it has ended already.
    private func stopWaiting(_ id: Int, with error: TransportError) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting.remove(at: index).continuation.resume(returning: .failure(error))
    }
}
