import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// A form of the console that was sent from its own page in the administrator's session.
struct ConsoleForm {
    private let values: [String: String]

    enum Refusal: Error {
        /// The body is no form, or a field of it repeats or is missing.
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

    /// The value of a field for its page, which shows it again; nil for an empty one, and for one that the form lacks.
    subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the value of a field to be taken; nil for an empty one.
    ///
    /// - Throws: ``Refusal/unreadable`` if the form lacks the field. A browser sends every field that is no check box: one that
    ///   is missing must not remove what is kept.
    func value(of name: String) throws(Refusal) -> String? {
        guard let value = values[name] else { throw .unreadable }
        return value.isEmpty ? nil : value
    }

    /// The name of the hidden field with the tag of the values that a form showed.
    static let entityTag = "entity_tag"

    /// The tag of the values that the form showed. That of a form without one matches no values.
    var shownValues: EntityTag { EntityTag(self[Self.entityTag] ?? "") }

    /// The beginning of the names of hidden fields with the tags of the texts that a form showed in its fields.
    private static let shownPrefix = "shown."

    /// Returns the name of the hidden field with the tags of what a form shows in a field.
    static func shownField(of name: String) -> String { shownPrefix + name }

    /// Returns a hidden field as this form has it; another one than that of what the form showed unchanged, nil for one that the
    /// form lacks.
    func keeping(_ hidden: ConsoleView.Hidden) -> ConsoleView.Hidden? {
        let name = hidden.hiddenName
        guard name == Self.entityTag || name.utf8.starts(with: Self.shownPrefix.utf8) else { return hidden }
        return values[name].map { ConsoleView.Hidden(hiddenName: name, hiddenValue: $0) }
    }

    /// Returns the tags of the texts that the form showed in a field; nil if the form lacks them.
    func shownTags(of name: String) -> [EntityTag]? {
        values[Self.shownField(of: name)].map { text in
            text.utf8.split(separator: UInt8(ascii: ".")).map { EntityTag(String(Substring($0))) }
        }
    }

    /// The value of a checkbox that is checked.
    static let checked = "on"

    func isChecked(_ name: String) -> Bool { self[name] != nil }

    /// Returns the entries of a field with one on each line, without the spaces around them.
    ///
    /// - Throws: See ``value(of:)``.
    func lines(of name: String) throws(Refusal) -> [String] {
        Self.lines(in: try value(of: name) ?? "")
    }

    /// Returns the entries of a text as ``lines(of:)``.
    static func lines(in text: String) -> [String] {
        text.utf8.split { [UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: ",")].contains($0) }
            .map { trimmed($0) }.filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: Substring.UTF8View) -> String {
        let isSpace = { (byte: UInt8) in byte == ASCII.space || byte == ASCII.tab }
        let end = text.lastIndex { !isSpace($0) }.map { text.index(after: $0) } ?? text.startIndex
        return String(decoding: Array(text[..<end].drop(while: isSpace)), as: UTF8.self)
    }
}
