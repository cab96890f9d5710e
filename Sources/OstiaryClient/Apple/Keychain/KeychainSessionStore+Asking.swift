#if canImport(Security)
extension KeychainSessionStore: AskingStore {
    func leaveFront() { record.key?.person.leaveFront() }
    func comeToFront() { record.key?.person.comeToFront() }
    func askAgain() { record.key?.person.askAgain() }
}
#endif
