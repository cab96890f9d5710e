/// The rule for the identifier that an identity provider gives to a person, the claim `sub`.
public enum ProviderSubject {
    /// Returns `true` for 1 to 255 bytes without control characters. Source: OpenID Connect Core §2.
    public static func isValid(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
