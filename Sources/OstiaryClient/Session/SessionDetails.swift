import OstiaryCore

/// The details of a session that change during its life: updated in memory, then in the store.
///
/// Owned by one ``SessionKeeper`` and used in its isolation only.
struct SessionDetails {
    private let current: CurrentSession
    private let storage: SessionStorage

    init(current: CurrentSession, storage: SessionStorage) {
        self.current = current
        self.storage = storage
    }

    /// Stores the signing key that the server issued for a session.
    func keep(_ key: RequestSigningKey, of id: ClientSession.ID, on keeper: isolated SessionKeeper) async {
        guard var held = current.held(id) else { return }
        held.update(signingKey: key)
        current.set(held, on: keeper)
        _ = await storage.change(on: keeper) { saved in saved[id]?.signingKey = key }
    }

    /// Stores the user that the server reports for the session, and marks the session as verified.
    func keep(_ user: User, of id: ClientSession.ID, on keeper: isolated SessionKeeper) async {
        guard var held = current.held(id) else { return }
        let isNew = held.session.user != user
        held.isVerified = true
        held.update(user: user)
        current.set(held, on: keeper)
        guard isNew else { return }
        _ = await storage.change(on: keeper) { saved in saved[id]?.user = user }
    }

    /// Stores the access token that the server issued after a step-up, unless the session has another one by now. The
    /// refresh token does not change.
    func keep(
        _ tokens: Tokens, insteadOf used: IssuedToken, at system: ClientDependencies, on keeper: isolated SessionKeeper
    )
        async
    {
        guard var held = current.held(used.session), held.session.accessToken == used.token else { return }
        let tokens = Tokens(accessToken: tokens.accessToken, expiresIn: tokens.expiresIn, refreshToken: nil)
        let renewed = held.session.renewed(with: tokens, at: system.now())
        held.replace(with: renewed, at: system)
        current.set(held, on: keeper)
        _ = await storage.change(on: keeper) { saved in
            guard let entry = saved[used.session], entry.accessToken == used.token else { return }
            saved[used.session] = entry.with(tokensOf: renewed)
        }
    }

    /// Stores the enrolment of the first unlock for a session without one, or the one that another version of the
    /// system reports.
    func keep(_ enrolment: BiometricEnrolment?, of id: ClientSession.ID, on keeper: isolated SessionKeeper) async {
        guard let enrolment, var held = current.held(id),
            held.session.enrolment.map({ $0.system != enrolment.system }) ?? true
        else { return }
        held.update(enrolment: enrolment)
        current.set(held, on: keeper)
        _ = await storage.change(on: keeper) { saved in saved[id]?.enrolment = enrolment }
    }

    /// Records that the server has accepted a token, and marks its session as verified.
    func noteAcceptance(of id: ClientSession.ID, on keeper: isolated SessionKeeper) {
        guard var held = current.held(id), !held.isVerified else { return }
        held.isVerified = true
        current.set(held, on: keeper)
    }

    /// Returns the secret by which an account recognizes this device; `nil` if none does, or the store is unavailable.
    func deviceToken(on keeper: isolated SessionKeeper) async -> Secret<String>? {
        guard case .found(let saved) = await storage.read(on: keeper) else { return nil }
        return saved.deviceToken
    }

    /// Stores the secret by which an account recognizes this device from now on.
    func keep(deviceToken: Secret<String>, on keeper: isolated SessionKeeper) async {
        _ = await storage.change(on: keeper) { saved in saved.deviceToken = deviceToken }
    }

    /// Returns the id of the key that App Attest has attested; `nil` if there is none, or the store is unavailable.
    func appAttestKey(on keeper: isolated SessionKeeper) async -> [UInt8]? {
        guard case .found(let saved) = await storage.read(on: keeper) else { return nil }
        return saved.appAttestKey.flatMap { Base64URL.decode($0.utf8) }
    }

    /// Stores the id of the key that App Attest has attested; `nil` to forget it.
    func keep(appAttestKey: [UInt8]?, on keeper: isolated SessionKeeper) async {
        let text = appAttestKey.map { Base64URL.encode($0) }
        _ = await storage.change(on: keeper) { saved in saved.appAttestKey = text }
    }

    /// Returns the random identifier of this device, generated on first use. `nil` if it cannot be stored.
    func deviceID(on keeper: isolated SessionKeeper) async -> String? {
        let new = DeviceInfo.randomID()
        let result = await storage.change(on: keeper) { saved -> String in
            let id = saved.deviceID ?? new
            saved.deviceID = id
            return id
        }
        return try? result.get()
    }
}
