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
    /// - Parameter end: The end of the request's time limit, which includes the wait for other requests; attestations have
    ///   their own.
    func send(
        _ request: WireRequest, by auth: RemoteAuth, until end: Duration
    ) async throws(TransportError) -> WireResponse {
        guard service.isSupported, auth.codec.endpoint(for: .attestKey) != nil else {
            return try await auth.send(request, until: end)
        }
        try await begin(until: end)
        defer { self.end() }
        guard let signed = await asserting(request, by: auth) else {
            return try await auth.send(request, until: end)
        }
        let response = try await auth.send(signed, until: end)
        guard !isFresh, Self.isRefused(response, by: auth.codec), let new = await attestNewKey(by: auth),
            let signed = try? await sign(request, by: new, for: auth.baseURL)
        else { return response }
        let second = try await auth.send(signed, until: end)
        if !Self.isRefused(second, by: auth.codec) { await keep(new) }
        return second
    }

    // MARK: Keys

    private func attestedKey(by auth: RemoteAuth) async -> [UInt8]? {
        if let key { return key }
        guard !isOff else { return nil }
        if let kept = await storage.withLock({ $0 })?.read() {
            key = kept
            return kept
        }
        guard let new = await attestNewKey(by: auth) else { return nil }
        await keep(new)
        return new
    }

    private func keep(_ new: [UInt8]?) async {
        key = new
        await storage.withLock { $0 }?.keep(new)
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
            isFresh = true
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
            new = try await limited { [service] () async throws(AppAttestFailure) -> [UInt8] in
                try await service.generateKey()
            }
        }
        pending = nil
        do {
            let attestation = try await limited { [service] () async throws(AppAttestFailure) -> [UInt8] in
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
    private func asserting(_ request: WireRequest, by auth: RemoteAuth) async -> WireRequest? {
        for _ in 0..<2 {
            guard let key = await attestedKey(by: auth) else { return nil }
            do {
                return try await sign(request, by: key, for: auth.baseURL)
            } catch AppAttestFailure.invalidKey where !isFresh {
                // The app was installed again, or its data moved to another device: another key is attested.
                await keep(nil)
            } catch {
                return nil
            }
        }
        return nil
    }

    private func sign(
        _ request: WireRequest, by key: [UInt8], for baseURL: BaseURL
    ) async throws(AppAttestFailure) -> WireRequest {
        let clientData = AppAssertionHeader.clientData(
            method: request.method, path: baseURL.path + request.path,
            bodySHA256: Array(SHA256.hash(data: request.body)))
        let clientDataHash = Array(SHA256.hash(data: clientData))
        let assertion = try await limited { [service] () async throws(AppAttestFailure) -> [UInt8] in
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

    /// Performs one call of the service.
    ///
    /// - Throws: The error of the call; ``AppAttestFailure/unavailable`` at the time limit, or if the task is cancelled.
    private func limited(
        _ call: @escaping @Sendable () async throws(AppAttestFailure) -> [UInt8]
    ) async throws(AppAttestFailure) -> [UInt8] {
        let outcome = OneShot<Result<[UInt8], AppAttestFailure>>()
        let timer = Task { [system] in
            guard (try? await system.sleep(Self.serviceLimit)) != nil else { return }
            outcome.end(.failure(.unavailable))
        }
        let work = Task {
            do throws(AppAttestFailure) { outcome.end(.success(try await call())) } catch {
                outcome.end(.failure(error))
            }
        }
        defer {
            timer.cancel()
            work.cancel()
        }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { outcome.begin($0) }
        } onCancel: {
            outcome.end(.failure(.unavailable))
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
