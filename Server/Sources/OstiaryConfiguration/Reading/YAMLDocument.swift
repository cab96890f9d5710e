import Yams

/// A parser of one YAML document within the limits of a configuration.
enum YAMLDocument {
    /// - Returns: Nil for a document without content.
    static func compose(
        _ bytes: [UInt8], place: ConfigurationProblem.Place
    ) throws(ConfigurationProblem) -> Node? {
        func problem(_ line: Int?, _ need: String, key: String = "") -> ConfigurationProblem {
            guard case .file(let name, _) = place else {
                return ConfigurationProblem(place: place, key: key, need: need)
            }
            return ConfigurationProblem(place: .file(name, line: line), key: key, need: need)
        }

        guard bytes.count <= ConfigurationFile.largestSize else {
            throw problem(nil, "needs at most \(ConfigurationFile.largestSize) bytes")
        }
        // A byte order mark may precede a document. Source: YAML 1.2 §5.2.
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard let text = String(validating: content, as: UTF8.self) else { throw problem(nil, "needs UTF-8") }
        do throws(YAMLSubset.Refusal) {
            try YAMLSubset.check(content)
        } catch {
            throw problem(error.line, error.need)
        }
        do {
            // Settings are read by their text: types of plain scalars are not resolved, for which Yams compiles regular expressions.
            let node = try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
            if case .scalar(let scalar) = node, scalar.string.isEmpty { return nil }
            return node
        } catch let error as YamlError {
            // The error's description quotes the text, which holds secrets: only the parser's own words and the line
            // are shown.
            switch error {
            case .scanner(_, let words, let mark, _), .parser(_, let words, let mark, _):
                let hint = text.contains("${") ? " (inside braces put ${NAME} in quotes)" : ""
                throw problem(mark.line, "needs to be YAML: \(words)\(hint)")
            case .composer(_, _, let mark, _):
                throw problem(mark.line, "needs to be one document")
            case .duplicatedKeysInMapping(let keys, let context):
                throw problem(context.mark.line, "occurs twice", key: keys.first?.asKeyName ?? "")
            default:
                throw problem(nil, "needs to be YAML without control characters")
            }
        } catch {
            throw problem(nil, "needs to be YAML")
        }
    }
}
