#if canImport(Security)
extension KeychainSessionStore: InteractiveSessionStore {
    func didEnterBackground() { record.key?.person.didEnterBackground() }
    func willEnterForeground() { record.key?.person.willEnterForeground() }
    func retry() { record.key?.person.retry() }
}
#endif
