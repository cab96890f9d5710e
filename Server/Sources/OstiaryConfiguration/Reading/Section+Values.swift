import OstiaryCore

/// Values by key and type; nil where the key is left out.
extension Section {
    func string(_ name: String) throws(ConfigurationProblem) -> String? { try setting(name)?.string() }

    func secret(_ name: String) throws(ConfigurationProblem) -> Secret<String>? { try setting(name)?.secret() }

    func seconds(_ name: String) throws(ConfigurationProblem) -> Int? { try setting(name)?.seconds() }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(ConfigurationProblem) -> Int? {
        try setting(name)?.integer(in: range)
    }

    func boolean(_ name: String) throws(ConfigurationProblem) -> Bool? { try setting(name)?.boolean() }

    func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, of type: Choice.Type = Choice.self
    ) throws(ConfigurationProblem) -> Choice? {
        try setting(name)?.choice()
    }

    /// Returns a required value.
    func required(_ name: String, _ what: String) throws(ConfigurationProblem) -> Setting {
        guard let setting = try setting(name) else { throw problem(name, "needs \(what)") }
        return setting
    }

    /// Returns a list of texts; empty where the key is left out.
    func texts(_ name: String) throws(ConfigurationProblem) -> [String] {
        var texts: [String] = []
        for setting in try list(name) ?? [] { texts.append(try setting.string()) }
        return texts
    }

    /// Returns the path of a regular file, which must be readable.
    func readableFile(_ name: String, _ what: String) throws(ConfigurationProblem) -> String? {
        guard let path = try path(name) else { return nil }
        guard RegularFile.isReadable(path) else {
            throw problem(name, "needs \(what) that can be read")
        }
        return path
    }

    /// Returns a file-system path: relative to the file's folder in the file, to the working directory in the
    /// environment.
    func path(_ name: String) throws(ConfigurationProblem) -> String? {
        guard let setting = try setting(name) else { return nil }
        return origin.resolve(try setting.string(), from: setting.place)
    }
}

extension Origin {
    func resolve(_ path: String, from place: ConfigurationProblem.Place?) -> String {
        guard case .file = place, let directory = file?.directory, !directory.isEmpty, !path.hasPrefix("/") else {
            return path
        }
        let plain = path.hasPrefix("./") ? path.dropFirst(2) : path[...]
        return directory.hasSuffix("/") ? directory + plain : "\(directory)/\(plain)"
    }
}

extension StringProtocol {
    /// Returns this text without leading and trailing occurrences of the character.
    func trimming(_ character: Character) -> String {
        let start = drop { $0 == character }
        return String(start.reversed().drop { $0 == character }.reversed())
    }
}
