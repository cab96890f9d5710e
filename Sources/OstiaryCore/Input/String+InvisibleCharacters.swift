extension String {
    /// `true` with a character that is displayed as nothing, such as U+3164 HANGUL FILLER or a variation selector: two names that
    /// differ in one look the same.
    ///
    /// Source: Unicode's `Default_Ignorable_Code_Point`, which RFC 8264 §9.13 disallows in identifiers.
    package var hasInvisibleCharacters: Bool {
        unicodeScalars.contains { $0.properties.isDefaultIgnorableCodePoint }
    }
}
