extension ClientError {
    /// Creates an error with the coding path at which an answer differs from its type, without any value of the answer.
    init(_ error: DecodingError) {
        let path: [any CodingKey] =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context): context.codingPath
            case .keyNotFound(let key, let context): context.codingPath + [key]
            case .dataCorrupted(let context): context.codingPath
            @unknown default: []
            }
        if case .dataCorrupted = error, path.isEmpty {
            // The body is not JSON.
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
                // The keys of a type are cases of an enumeration. Any other key, such as a dictionary's, is data from
                // the server.
                let isOwn = Mirror(reflecting: key).displayStyle == .enum
                text += (text.isEmpty ? "" : ".") + (isOwn ? key.stringValue : "*")
            }
        }
        return text.isEmpty ? "its top level" : text
    }
}
