extension Administration {
    /// Makes a change that the store refuses if it would take the app's ``AppSettings/keptRole`` from its last holder.
    ///
    /// - Parameter change: Receives the role, for the store; `nil` for an app without one.
    /// - Throws: ``AdministrationProblem`` for the last holder, and the errors of `change`.
    func keepingHolder<Value>(_ change: (_ role: String?) async throws -> Value) async throws -> Value {
        do {
            return try await change(app.keptRole)
        } catch StoreRefusal.lastHolder {
            throw AdministrationProblem.conflict(
                "last_administrator", "this is the last administrator; give another account the role first")
        }
    }
}
