import OstiaryCore

extension AttributeValue {
    /// The value as one line, which ``OstiaryCore/AttributeDefinitions/values(of:)`` reads again.
    var shown: String {
        switch self {
        case .string(let text): text
        case .integer(let integer): "\(integer)"
        case .number(let number): "\(number)"
        case .boolean(let flag): flag ? "true" : "false"
        case .stringList(let texts): texts.joined(separator: ",")
        }
    }
}
