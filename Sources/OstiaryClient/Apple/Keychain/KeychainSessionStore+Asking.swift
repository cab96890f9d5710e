#if canImport(Security)
extension KeychainSessionStore: InteractiveSessionStore {
    func didEnterBackground() { record.key?.person.didEnterBackground() }
    func comeToFront() { record.key?.person.comeToFront() }
    func retry() { record.key?.person.retry() }
}
#endif
