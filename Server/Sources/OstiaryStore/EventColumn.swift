/// A column of an account that an event shows, and its field. A column that is added here is part of the snapshot, and a change of
/// it is an `account.updated` event.
struct EventColumn: Sendable {
    let name: String
    let field: String
    let form: Form

    /// The form of a column's value in JSON.
    enum Form: Sendable {
        case text, boolean, optionalBoolean
        /// The text is JSON.
        case json
    }

    static let all = [
        EventColumn(name: "email", field: "email", form: .text),
        EventColumn(name: "is_email_verified", field: "email_verified", form: .boolean),
        EventColumn(name: "username", field: "username", form: .text),
        EventColumn(name: "phone_number", field: "phone_number", form: .text),
        EventColumn(name: "is_phone_number_verified", field: "phone_number_verified", form: .optionalBoolean),
        EventColumn(name: "full_name", field: "full_name", form: .text),
        EventColumn(name: "attributes", field: "attributes", form: .json),
        EventColumn(name: "roles", field: "roles", form: .json),
    ]

    /// The names of all columns, separated by commas.
    static var names: String { all.map(\.name).joined(separator: ", ") }

    /// Returns the arguments of the database's function for a JSON object: each field and its value.
    ///
    /// - Parameter value: Returns the expression of a column's value.
    static func fields(_ value: (EventColumn) -> String) -> String {
        all.map { "'\($0.field)', \(value($0))" }.joined(separator: ", ")
    }
}
