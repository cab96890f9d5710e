/// The sources of values besides the nodes of the file: the environment, and the file's name and folder.
///
/// Records the variables that were looked up for keys, so that a variable without a key is an error.
final class Origin {
    let file: ConfigurationFile?
    private let environment: [String: String]
    /// Every variable that was looked up, set or not, and its key.
    private var asked: [String: String] = [:]

    /// Variables that are not keys.
    private static let reserved: Set<String> = ["OSTIARY_CONFIG", "OSTIARY_DATA", "OSTIARY_ADMIN_KEY"]
    private static let prefix = "OSTIARY_"

    init(file: ConfigurationFile?, environment: [String: String]) {
        self.file = file
        self.environment = environment
    }

    /// Returns the name of a key's variable: `OSTIARY_` and the path in capitals, `_` for `.` and `-`.
    static func variable(for path: [String]) -> String {
        let name = path.joined(separator: "_").utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "_")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 0x20
            default: byte
            }
        }
        return prefix + String(decoding: name, as: UTF8.self)
    }

    /// Returns the environment's value, which takes precedence over the file's; nil where there is none.
    ///
    /// - Throws: If the variable is set and belongs to another key as well.
    func override(for path: [String]) throws(ConfigurationProblem) -> (name: String, text: String)? {
        let name = Self.variable(for: path)
        let key = path.joined(separator: ".")
        let other = asked.updateValue(key, forKey: name)
        guard let text = environment[name] else { return nil }
        if let other, other != key {
            throw ConfigurationProblem(
                place: .variable(name), key: key, need: "needs the file: this variable also belongs to \(other)")
        }
        return (name, text)
    }

    /// Returns `true` if the environment sets a key below this one.
    func hasOverrides(below path: [String]) -> Bool {
        let start = Self.variable(for: path) + "_"
        return environment.keys.contains { $0.hasPrefix(start) }
    }

    /// Returns `true` if the line of a place has a comment.
    func hasComment(at place: ConfigurationProblem.Place) -> Bool {
        guard case .file(_, let line?) = place, let file else { return false }
        let lines = file.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.dropFirst(line - 1).first.map { String(decoding: $0, as: UTF8.self).contains(" #") } ?? false
    }

    /// Returns the value of a variable with a name of its own, such as `JWT_SECRET`.
    func variable(_ name: String) -> String? { environment[name] }

    /// Replaces every `${NAME}` by the variable of that name; `$${` stands for `${`, and any other `$` for itself.
    ///
    /// - Returns: The text, and `true` if a variable was replaced.
    func expand(
        _ text: String, key: String, place: ConfigurationProblem.Place
    ) throws(ConfigurationProblem) -> (text: String, isExpanded: Bool) {
        var result = ""
        var isExpanded = false
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[dollar...]
            if rest.hasPrefix("$${") {
                result += "${"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("${") {
                guard let end = rest.firstIndex(of: "}"), let name = Self.name(rest[..<end].dropFirst(2)) else {
                    throw ConfigurationProblem(place: place, key: key, need: "needs ${NAME}, or $${ for a plain ${")
                }
                guard let value = environment[name] else {
                    throw ConfigurationProblem(place: place, key: key, need: "needs the environment variable \(name)")
                }
                if asked[name] == nil { asked[name] = key }
                result += value
                isExpanded = true
                rest = rest[end...].dropFirst()
            } else {
                result += "$"
                rest = rest.dropFirst()
            }
        }
        return (result + rest, isExpanded)
    }

    private static func name(_ text: Substring) -> String? {
        let isName =
            !text.isEmpty && text.first?.isNumber == false
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
        return isName ? String(text) : nil
    }

    /// - Throws: If a variable begins with `OSTIARY_` and belongs to no key.
    func finish() throws(ConfigurationProblem) {
        let unknown = environment.keys.filter {
            $0.hasPrefix(Self.prefix) && asked[$0] == nil && !Self.reserved.contains($0)
                && !$0.hasPrefix("OSTIARY_TEST_")
        }
        guard let name = unknown.min() else { return }
        throw ConfigurationProblem(
            place: .variable(name), key: "",
            need: "belongs to no key" + suggestion(for: name, among: asked.keys.sorted()))
    }
}

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }
    var isLetter: Bool { (0x41...0x5A).contains(self & 0xDF) }
}
