import OstiaryCore

extension Configuration {
    /// Every setting with its effective value and the versions of the files that it names, for a comparison.
    package struct Snapshot: Sendable {
        fileprivate let values: [String: Secret<String>]
        /// The prefixes of what is added or removed as a whole.
        fileprivate let groups: Set<String>
    }

    package var snapshot: Snapshot {
        Snapshot(
            values: outline(rules: [:]).values,
            groups: Set(apps.map { "apps.\($0.name)" } + (idp == nil ? [] : ["idp"])))
    }

    /// Returns the settings that differ from an earlier configuration and that a running server cannot change.
    package func settingsThatNeedRestart(after earlier: Configuration) -> [String] {
        var names: [String] = []
        if mode != earlier.mode { names.append("mode") }
        if listen != earlier.listen { names.append("listen") }
        if adminListen != earlier.adminListen { names.append("admin.listen") }
        if (tls == nil) != (earlier.tls == nil) { names.append("tls") }
        if store != earlier.store { names.append("store") }
        return names
    }
}

extension Configuration.Snapshot {
    /// Returns the names of the settings whose values differ, sorted. An app that is new or gone is one name.
    package func changes(since earlier: Configuration.Snapshot) -> [String] {
        let added = groups.subtracting(earlier.groups)
        let removed = earlier.groups.subtracting(groups)
        let whole = added.union(removed).map { "\($0)." }
        let names = Set(values.keys).union(earlier.values.keys).filter { name in
            values[name] != earlier.values[name] && !whole.contains { name.utf8.starts(with: $0.utf8) }
        }
        return (Array(names) + added.map { "\($0) (added)" } + removed.map { "\($0) (removed)" }).sorted()
    }
}
