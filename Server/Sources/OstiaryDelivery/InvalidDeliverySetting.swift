/// An invalid configuration value of delivery. It never contains the value, which may be a secret.
package struct InvalidDeliverySetting: Error, Hashable, Sendable, CustomStringConvertible {
    /// The requirement on the value, to be read after the name of the key: `must be …`.
    package let need: String

    init(_ need: String) { self.need = need }

    package var description: String { need }
}

extension String {
    /// `true` if this is text for one line: no control characters, line or paragraph separators, or text direction
    /// marks.
    var isOneLine: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .format: false
            default: true
            }
        }
    }
}
