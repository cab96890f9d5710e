import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// A form of the console that was sent from its own page in the administrator's session.
struct ConsoleForm {
    private let values: [String: [String]]

    enum Refusal: Error {
        case unreadable, otherPage
    }

    private static let maximumValues = 256

    init(_ request: AdministratorRequest) throws(Refusal) {
        let wire = request.page.request
        guard let text = ProviderParameters.text(ofFormIn: wire) else { throw .unreadable }
        var values: [String: [String]] = [:]
        var count = 0
        for parameter in ParameterReader(text) {
            guard case .named(let name, let value) = parameter, count < Self.maximumValues else { throw .unreadable }
            values[name, default: []].append(value)
            count += 1
        }
        guard
            FormGuard.accepts(
                wire, form: FormValues(text), browser: request.formSecret, frame: request.page.frame)
        else { throw .otherPage }
        self.values = values
    }

    /// The value of a field; nil for an empty one, and for one that repeats.
    subscript(name: String) -> String? {
        guard let all = values[name], all.count == 1, !all[0].isEmpty else { return nil }
        return all[0]
    }

    /// The values of a field that may repeat.
    subscript(all name: String) -> [String] { values[name] ?? [] }

    func isChecked(_ name: String) -> Bool { self[name] != nil }

    /// The entries of a field with one on each line, without the spaces around them.
    subscript(lines name: String) -> [String] {
        (self[name] ?? "").utf8
            .split { [UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: ",")].contains($0) }
            .map { Self.trimmed($0) }.filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: Substring.UTF8View) -> String {
        let isSpace = { (byte: UInt8) in byte == ASCII.space || byte == ASCII.tab }
        let end = text.lastIndex { !isSpace($0) }.map { text.index(after: $0) } ?? text.startIndex
        return String(decoding: Array(text[..<end].drop(while: isSpace)), as: UTF8.self)
    }
}
