enum HTML {
    /// Text as it may stand in an element or in a quoted attribute.
    ///
    /// By scalar: a quote that a combining character follows is a Character of its own, and still ends an attribute.
    static func escape(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            // In an attribute, text is never let out of the quotes by what an old browser makes of a NUL.
            case "\0": output += "\u{FFFD}"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}
