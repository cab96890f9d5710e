enum HTML {
    /// Returns text escaped for an element or a quoted attribute.
    ///
    /// By scalar: a quote followed by a combining character is a Character of its own, and still ends an attribute.
    static func escape(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            // An old browser's handling of NUL must not end a quoted attribute.
            case "\0": output += "\u{FFFD}"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}
