/// A configuration value that delivery cannot work with. It never holds the value, which may be a secret.
package struct InvalidDeliverySetting: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the value needs to be, to be read after the name of the key: `must be …`.
    package let need: String

    init(_ need: String) { self.need = need }

    package var description: String { need }
}

extension String {
    /// Whether this is text for one line: no control characters, line or paragraph separators, or text direction marks.
    var isOneLine: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .format: false
            default: true
            }
        }
    }
}
