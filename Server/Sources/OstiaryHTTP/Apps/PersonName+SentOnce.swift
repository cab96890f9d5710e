import OstiaryContracts
import OstiaryCore

extension PersonName {
    /// The field that holds the person's name in the form that Apple posts.
    static let field = "user"
    private static let longestBytes = 1_024

    /// The name that Apple sends only with an account's first sign-in: JSON of `name.firstName` and `name.lastName`,
    /// unsigned. Nil where it holds no usable name, or exceeds 1,024 bytes.
    init?(sentOnce text: String) {
        guard text.utf8.count <= Self.longestBytes, let user = try? JSON.read(Array(text.utf8)), let name = user["name"]
        else { return nil }
        let parts = ["firstName", "lastName"].compactMap { part -> String? in
            guard case .string(let text)? = name[part], !text.isEmpty else { return nil }
            return text
        }
        guard let full = try? PersonName(parts.joined(separator: " ")), !full.text.isEmpty else { return nil }
        self = full
    }
}
