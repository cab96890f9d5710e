extension BinaryInteger {
    /// Returns the number with a noun, in the plural unless the number is 1: `1 app`, `2 apps`.
    package func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
