import OstiaryContracts
import OstiaryEngine

extension JSON {
    /// Creates the JSON of a claim's value.
    init(_ value: ClaimValue) {
        self =
            switch value {
            case .null: .null
            case .boolean(let flag): .boolean(flag)
            case .integer(let integer): .integer(integer)
            case .number(let number): .number(number)
            case .string(let text): .string(text)
            case .array(let values): .array(values.map { JSON($0) })
            case .object(let values):
                .object(values.sorted { $0.key < $1.key }.map { JSON.Member($0.key, JSON($0.value)) })
            }
    }
}
