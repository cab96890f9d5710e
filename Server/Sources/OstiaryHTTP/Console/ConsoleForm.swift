import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// A form of the console that was sent from its own page in the administrator's session.
struct ConsoleForm {
    private let values: [String: String]

    enum Refusal: Error {
        /// The body is no form, or a field of it repeats.
        case unreadable
        case otherPage
    }

    private static let maximumValues = 256

    init(_ request: AdministratorRequest) throws(Refusal) {
        let wire = request.page.request
        guard let text = ProviderParameters.text(ofFormIn: wire) else { throw .unreadable }
        var values: [String: String] = [:]
        for parameter in ParameterReader(text) {
            guard case .named(let name, let value) = parameter, values.count < Self.maximumValues,
                values.updateValue(value, forKey: name) == nil
            else { throw .unreadable }
        }
        guard
            FormGuard.accepts(
                wire, form: FormValues(text), browser: request.formSecret, frame: request.page.frame)
        else { throw .otherPage }
        self.values = values
    }

    /// The value of a field; nil for an empty one.
    subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

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
