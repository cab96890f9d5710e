/// A file of variables, `NAME=VALUE` a line, as shells and service managers read it. Source: systemd.exec(5),
/// `EnvironmentFile=`, without continued lines.
package enum EnvironmentFile {
    /// Reads the variables of a file.
    ///
    /// - Throws: If the file cannot be read, or a line of it.
    package static func read(_ path: String) throws(ConfigurationProblem) -> [String: String] {
        try variables(of: ConfigurationFile.open(path, place: .option("--environment")))
    }

    static func variables(of file: ConfigurationFile) throws(ConfigurationProblem) -> [String: String] {
        guard file.bytes.count <= ConfigurationFile.largestSize,
            let text = String(validating: file.bytes, as: UTF8.self)
        else {
            throw ConfigurationProblem(
                place: .file(file.name, line: nil), key: "", need: "needs UTF-8 and at most 1 MiB")
        }
        var variables: [String: String] = [:]
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = trimmed(line)
            guard let first = line.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { continue }
            guard let (name, value) = variable(line) else {
                throw ConfigurationProblem(
                    place: .file(file.name, line: index + 1), key: "",
                    need: "needs NAME=VALUE, the value plain, in single quotes, or in double quotes")
            }
            variables[name] = value
        }
        return variables
    }

    private static func variable(_ line: Substring.UTF8View) -> (name: String, value: String)? {
        guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = line[..<sign]
        guard let first = name.first, !first.isDigit,
            name.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }),
            let value = value(line[line.index(after: sign)...])
        else { return nil }
        return (String(Substring(name)), value)
    }

    /// Returns a value without its quotes; nil for one that readers of such files understand differently.
    private static func value(_ text: Substring.UTF8View) -> String? {
        let (single, double, escape) = (UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"))
        guard let quote = text.first, quote == single || quote == double else {
            let isPlain = text.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != single && $0 != double && $0 != escape }
            return isPlain ? String(Substring(text)) : nil
        }
        guard text.count >= 2, text.last == quote else { return nil }
        let inner = text.dropFirst().dropLast()
        // In double quotes a shell gives a meaning to these.
        let special: [UInt8] = quote == single ? [single] : [double, escape, UInt8(ascii: "$"), UInt8(ascii: "`")]
        return inner.contains(where: special.contains) ? nil : String(Substring(inner))
    }

    private static func trimmed(_ line: Substring.UTF8View) -> Substring.UTF8View {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var line = line.drop(while: isBlank)
        while let last = line.last, isBlank(last) { line = line.dropLast() }
        return line
    }
}
