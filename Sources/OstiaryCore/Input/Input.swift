/// The verdict on a text that a user types into a field.
public enum Input<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The text is empty or consists of white space only.
    case empty
    /// The text is not acceptable yet, but further typing can make it so.
    case incomplete(FieldProblem)
    /// The text is not acceptable, and further typing cannot make it so.
    case invalid(FieldProblem)
    /// The text is acceptable; the value is its parsed form.
    case good(Value)

    /// The parsed value, in the form that is sent; nil unless the verdict is ``good(_:)``.
    public var value: Value? { if case .good(let value) = self { value } else { nil } }

    /// The verdict without the value.
    public var verdict: InputVerdict {
        switch self {
        case .empty: .empty
        case .incomplete(let problem): .incomplete(problem)
        case .invalid(let problem): .invalid(problem)
        case .good: .good
        }
    }
}

/// The verdict of an ``Input`` without the typed value.
public enum InputVerdict: Hashable, Sendable {
    /// The text is empty or consists of white space only.
    case empty
    /// The text is not acceptable yet, but further typing can make it so.
    case incomplete(FieldProblem)
    /// The text is not acceptable, and further typing cannot make it so.
    case invalid(FieldProblem)
    /// The text is acceptable.
    case good

    /// The problem to show while the user types: only one that further typing cannot resolve.
    public var problemWhileTyping: FieldProblem? { if case .invalid(let problem) = self { problem } else { nil } }

    /// The problem to show once the user submits the field; an empty field counts as missing.
    public var problem: FieldProblem? {
        switch self {
        case .empty: .missing
        case .incomplete(let problem), .invalid(let problem): problem
        case .good: nil
        }
    }
}

extension Input {
    /// Checks a text with `parse`. A rejected text is incomplete if one of `endings`, appended to it, makes `parse`
    /// accept it; otherwise it is invalid.
    init(
        _ text: String, endings: [String], _ parse: (String) throws(FieldProblem) -> Value
    ) {
        do throws(FieldProblem) {
            self = .good(try parse(text))
        } catch {
            // `contains` does not accept a closure with typed throws.
            var isBegun = false
            for ending in endings where !isBegun { isBegun = (try? parse(text + ending)) != nil }
            self = isBegun ? .incomplete(error) : .invalid(error)
        }
    }
}

extension String {
    var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
