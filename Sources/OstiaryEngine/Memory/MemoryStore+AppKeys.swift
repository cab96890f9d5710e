public import Foundation
public import OstiaryCore

extension MemoryStore {
    /// Adds an attested key; does nothing if the app has a key of that id.
    public func add(_ key: AppKey) {
        transaction { tables in
            var stored = key
            (stored.createdAt, stored.keptUntil) = (key.createdAt.asStored, key.keptUntil.asStored)
            if tables.appKeys[key.app]?[key.id] == nil { tables.appKeys[key.app, default: [:]][key.id] = stored }
        }
    }

    /// Returns an attested key of an app; `nil` if there is none.
    public func appKey(_ id: [UInt8], in app: AppName) -> AppKey? { transaction { $0.appKeys[app]?[id] } }

    /// Records a use of a key, if `counter` is greater than the stored one.
    public func recordUse(ofAppKey id: [UInt8], in app: AppName, counter: UInt32, keptUntil: Date) -> Bool {
        transaction { tables in
            guard let key = tables.appKeys[app]?[id], key.counter < counter else { return false }
            tables.appKeys[app]?[id]?.counter = counter
            tables.appKeys[app]?[id]?.keptUntil = max(key.keptUntil, keptUntil.asStored)
            return true
        }
    }

    /// Returns the id of the key that a session is bound to; `nil` if it is bound to none.
    public func appKey(of session: SessionID, in app: AppName) -> [UInt8]? {
        transaction { tables in
            guard let row = tables.sessions[session], row.session.app == app else { return nil }
            return row.appKey
        }
    }

    /// Binds a session to a key, unless it is bound to one; returns the key that it is bound to.
    public func bind(_ session: SessionID, toAppKey id: [UInt8], in app: AppName) -> [UInt8]? {
        transaction { tables in
            guard let row = tables.sessions[session], row.session.app == app else { return nil }
            let bound = row.appKey ?? id
            tables.sessions[session]?.appKey = bound
            return bound
        }
    }
}
