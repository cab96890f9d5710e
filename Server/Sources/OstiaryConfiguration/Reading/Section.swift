import Yams

/// A mapping of the file, or the place where one could be. Returns values by key and records which were requested.
///
/// The environment takes precedence over the file. Call ``finish()`` when all keys have been requested: a key that was
/// never requested is an error.
final class Section {
    let origin: Origin
    let path: [String]
    let place: ConfigurationProblem.Place?
    private let isInFile: Bool
    private var entries: [String: Entry] = [:]
    private var order: [String] = []
    private var asked: [String] = []

    struct Entry {
        var node: Node
        var place: ConfigurationProblem.Place
    }

    /// - Parameter entry: Nil where the file has none.
    init(_ entry: Entry?, path: [String], origin: Origin) throws(ConfigurationProblem) {
        self.origin = origin
        self.path = path
        place = entry?.place ?? origin.file.map { .file($0.name, line: nil) }
        isInFile = entry != nil
        guard let entry else { return }
        guard case .mapping(let mapping) = entry.node else {
            throw ConfigurationProblem(place: entry.place, key: key, need: "needs keys below it (KEY: VALUE)")
        }
        for (name, value) in mapping {
            let place = entry.place.moved(to: name.mark ?? value.mark)
            guard case .scalar(let scalar) = name else {
                throw ConfigurationProblem(place: place, key: key, need: "needs keys that are plain text")
            }
            // No key occurs twice: the document would have been refused.
            entries[scalar.string] = Entry(node: value, place: place)
            order.append(scalar.string)
        }
    }

    var key: String { path.joined(separator: ".") }
    func key(_ name: String) -> String { (path + [name.asKeyName]).joined(separator: ".") }

    /// `true` if the file has this mapping or the environment a value below it.
    var isPresent: Bool { isInFile || origin.hasOverrides(below: path) }

    /// The keys of the file, in its order.
    var names: [String] { order }

    /// - Parameter name: The key. If it is missing, and one that was not requested is near, the problem names that one too.
    func problem(_ name: String, _ need: String) -> ConfigurationProblem {
        if let entry = entries[name] { return ConfigurationProblem(place: entry.place, key: key(name), need: need) }
        let others = order.filter { !asked.contains($0) && $0.asKeyName == $0 }
        guard let misspelt = nearest(to: name, among: others), let entry = entries[misspelt] else {
            return ConfigurationProblem(place: place, key: key(name), need: need)
        }
        return ConfigurationProblem(
            place: entry.place, key: key(name), need: "\(need); did you mean \(name) instead of \(misspelt)?")
    }

    /// Returns the value of a key; nil where it is left out.
    func setting(_ name: String) throws(ConfigurationProblem) -> Setting? {
        asked.append(name)
        if let (variable, text) = try origin.override(for: path + [name]) {
            return Setting(key: key(name), text: text, place: .variable(variable), isQuoted: false)
        }
        guard let entry = entries[name] else { return nil }
        return try scalar(entry, key: key(name))
    }

    /// Returns the values of a list; nil where it is left out. In the environment they are separated by commas.
    func list(_ name: String) throws(ConfigurationProblem) -> [Setting]? {
        asked.append(name)
        if let (variable, text) = try origin.override(for: path + [name]) {
            return text.split(separator: ",").map {
                Setting(
                    key: key(name), text: $0.trimming(" "), place: .variable(variable), isQuoted: false)
            }
        }
        guard let entry = entries[name] else { return nil }
        guard case .sequence(let sequence) = entry.node else { throw problem(name, "needs a list: [A, B]") }
        var settings: [Setting] = []
        for node in sequence {
            settings.append(try scalar(Entry(node: node, place: entry.place.moved(to: node.mark)), key: key(name)))
        }
        return settings
    }

    /// Returns the mapping below a key; one that the file does not have can still have values from the environment.
    ///
    /// - Parameter mayBeEmpty: `true` if a key without a value counts as an empty mapping.
    func section(_ name: String, mayBeEmpty: Bool = false) throws(ConfigurationProblem) -> Section {
        asked.append(name)
        if let (variable, text) = try origin.override(for: path + [name]) {
            let node = try YAMLDocument.compose(Array(text.utf8), place: .variable(variable))
            return try Section(
                node.map { Entry(node: $0, place: .variable(variable)) }, path: path + [name], origin: origin)
        }
        if mayBeEmpty, let entry = entries[name], case .scalar(let scalar) = entry.node, scalar.isNull {
            let empty = Entry(node: .mapping([:]), place: entry.place)
            return try Section(empty, path: path + [name], origin: origin)
        }
        return try Section(entries[name], path: path + [name], origin: origin)
    }

    /// Returns the mappings below a key: none where it is left out, one, or those of a list.
    ///
    /// The path of a list's mapping has a label after the key, so that environment variables can address it: the
    /// mapping's value of the first of `keys` that has a valid one, or its number.
    ///
    /// - Parameter isLabel: Returns `true` if a value of that key is a valid label; messages do not contain an invalid
    ///   one.
    func sections(
        _ name: String, label keys: [String], where isLabel: (_ key: String, _ text: String) -> Bool
    ) throws(ConfigurationProblem) -> [Section] {
        asked.append(name)
        let path = path + [name]
        var entry = entries[name]
        if let (variable, text) = try origin.override(for: path) {
            let place = ConfigurationProblem.Place.variable(variable)
            entry = try YAMLDocument.compose(Array(text.utf8), place: place).map { Entry(node: $0, place: place) }
        }
        guard let entry, case .sequence(let sequence) = entry.node else {
            let section = try Section(entry, path: path, origin: origin)
            return section.isPresent ? [section] : []
        }
        guard !sequence.isEmpty else { throw problem(name, "needs at least one entry") }
        var sections: [Section] = []
        for (index, node) in sequence.enumerated() {
            let element = Entry(node: node, place: entry.place.moved(to: node.mark))
            var label: String?
            for key in keys where label == nil {
                guard case .scalar(let scalar) = node.mapping?[key] else { continue }
                let text = try origin.expand(scalar.string, key: self.key(name), place: element.place).text
                label = isLabel(key, text) ? text : nil
            }
            sections.append(try Section(element, path: path + [label ?? String(index + 1)], origin: origin))
        }
        return sections
    }

    /// Returns `true` if the file or the environment has a value for a key.
    func has(_ name: String) -> Bool {
        entries[name] != nil || (try? origin.override(for: path + [name])) != nil
    }

    /// Returns `true` if the value of a key is a single value, not a mapping.
    func isScalar(_ name: String) -> Bool {
        if case .scalar = entries[name]?.node { return true }
        return (try? origin.override(for: path + [name])) != nil
    }

    /// - Throws: If there is a key that was never requested.
    func finish() throws(ConfigurationProblem) {
        guard let unknown = order.first(where: { !asked.contains($0) }) else { return }
        guard unknown.asKeyName == unknown else {
            throw problem(unknown, "is no key: it needs the form KEY: VALUE")
        }
        throw problem(unknown, "is not a known key" + suggestion(for: unknown, among: asked))
    }

    private func scalar(_ entry: Entry, key: String) throws(ConfigurationProblem) -> Setting {
        guard case .scalar(let scalar) = entry.node else {
            throw ConfigurationProblem(place: entry.place, key: key, need: "needs one value")
        }
        guard !scalar.isNull else {
            let hint = origin.hasComment(at: entry.place) ? "; put a text that begins with # in quotes" : ""
            throw ConfigurationProblem(place: entry.place, key: key, need: "needs a value, but is empty\(hint)")
        }
        let (text, isExpanded) = try origin.expand(scalar.string, key: key, place: entry.place)
        return Setting(key: key, text: text, place: entry.place, isQuoted: !scalar.isPlain && !isExpanded)
    }
}

extension String {
    /// The key's name as messages show it. `jwt_secret:x`, without the space that separates key and value, is parsed as
    /// one key, and its second half is a secret: only the part before a character that no key contains is shown.
    var asKeyName: String {
        String(prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "_-+.".contains($0)) }.prefix(64))
    }
}

extension Node.Scalar {
    fileprivate var isPlain: Bool { style == .plain || style == .any }
    fileprivate var isNull: Bool { isPlain && ["", "~", "null", "Null", "NULL"].contains(string) }
}

extension ConfigurationProblem.Place {
    fileprivate func moved(to mark: Mark?) -> Self {
        guard case .file(let name, _) = self, let mark else { return self }
        return .file(name, line: mark.line)
    }
}
