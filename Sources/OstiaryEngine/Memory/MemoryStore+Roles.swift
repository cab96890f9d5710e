extension MemoryStore {
    /// Returns roles of an app in the order of their names, beginning after `name`.
    public func roles(in app: AppName, after name: String?, limit: Int) -> [StoredRole] {
        transaction { tables in
            let found = tables.roles[app, default: [:]].values.filter { role in name.map { $0 < role.name } ?? true }
            return Array(found.sorted { $0.name < $1.name }.prefix(max(0, limit)))
        }
    }

    /// Returns the roles of an app that have one of the names.
    public func roles(named names: [String], in app: AppName) -> [StoredRole] {
        transaction { tables in names.compactMap { tables.roles[app]?[$0] } }
    }

    /// Adds a role, unless the app has one of that name, or `limit` of them.
    public func add(_ role: StoredRole, limit: Int) -> RoleAddition {
        transaction { tables in
            let roles = tables.roles[role.app, default: [:]]
            guard roles[role.name] == nil else { return .exists }
            guard roles.count < limit else { return .limitReached }
            tables.roles[role.app, default: [:]][role.name] = role
            return .added
        }
    }

    /// Replaces the permissions of a role; returns `false` if there is none of that name, or it is not `previous` any more.
    public func replace(_ role: StoredRole, from previous: StoredRole?) -> Bool {
        transaction { tables in
            guard let kept = tables.roles[role.app]?[role.name] else { return false }
            if let previous, kept != previous, kept != role { return false }
            tables.roles[role.app]?[role.name] = role
            return true
        }
    }

    /// Deletes a role; returns `false` if there is none of that name.
    public func removeRole(_ name: String, in app: AppName) -> Bool {
        transaction { $0.roles[app]?.removeValue(forKey: name) != nil }
    }
}
