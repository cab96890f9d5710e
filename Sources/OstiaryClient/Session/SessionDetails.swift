import OstiaryCore

/// The details of a session that change while it lasts: kept in memory, then in the store.
///
/// Belongs to one ``SessionKeeper`` and is used in its isolation only.
struct SessionDetails {
    private let current: CurrentSession
    private let storage: SessionStorage

    init(current: CurrentSession, storage: SessionStorage) {
        self.current = current
        self.storage = storage
    }

    /// Keeps the key that a server gave a session.
    func keep(_ key: RequestSigningKey, of id: ClientSession.ID, on keeper: isolated SessionKeeper) async {
        guard var held = current.held(id) else { return }
        held.update(signingKey: key)
        current.set(held, on: keeper)
        _ = await storage.change(on: keeper) { saved in saved[id]?.signingKey = key }
    }

    /// Keeps who the server says is signed in; from then on the session is verified.
    func keep(_ user: User, of id: ClientSession.ID, on keeper: isolated SessionKeeper) async {
        guard var held = current.held(id) else { return }
        let isNew = held.session.user != user
        held.isVerified = true
        held.update(user: user)
        current.set(held, on: keeper)
        guard isNew else { return }
        _ = await storage.change(on: keeper) { saved in saved[id]?.user = user }
    }

    /// Keeps whom the device knew when a session without a gate was opened first, or one of another version of the system.
    func keep(_ enrolment: GateEnrolment?, of id: ClientSession.ID, on keeper: isolated SessionKeeper) async {
        guard let enrolment, var held = current.held(id),
            held.session.enrolment.map({ $0.system != enrolment.system }) ?? true
        else { return }
        held.update(enrolment: enrolment)
        current.set(held, on: keeper)
        _ = await storage.change(on: keeper) { saved in saved[id]?.enrolment = enrolment }
    }

    /// Notes that the server has accepted a token: from then on its session is verified.
    func noteAcceptance(of id: ClientSession.ID, on keeper: isolated SessionKeeper) {
        guard var held = current.held(id), !held.isVerified else { return }
        held.isVerified = true
        current.set(held, on: keeper)
    }

    /// The name of this device, made up at the first time that it is needed. Nil where it cannot be kept.
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
