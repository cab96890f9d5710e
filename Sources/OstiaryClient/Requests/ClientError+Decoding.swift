extension ClientError {
    /// Says where an answer differs from its type, and nothing of what it holds.
    init(_ error: DecodingError) {
        let path: [any CodingKey] =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context): context.codingPath
            case .keyNotFound(let key, let context): context.codingPath + [key]
            case .dataCorrupted(let context): context.codingPath
            @unknown default: []
            }
        if case .dataCorrupted = error, path.isEmpty {
            // Not JSON at all.
            self = .invalidResponse
        } else {
            self = .decoding(Self.text(of: path))
        }
    }

    static func text(of path: [any CodingKey]) -> String {
        var text = ""
        for key in path {
            if let index = key.intValue, key.stringValue == "Index \(index)" {
                text += "[\(index)]"
            } else {
                // A type's own keys are cases of an enumeration. Any other, such as a dictionary's, is what the server sent.
                let isOwn = Mirror(reflecting: key).displayStyle == .enum
                text += (text.isEmpty ? "" : ".") + (isOwn ? key.stringValue : "*")
            }
        }
        return text.isEmpty ? "its top level" : text
    }
}
