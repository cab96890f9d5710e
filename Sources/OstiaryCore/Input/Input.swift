/// What a text amounts to that somebody types into a field.
public enum Input<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Nothing but white space.
    case empty
    /// Not good yet, and typing on can make it so.
    case incomplete(FieldProblem)
    /// Not good, and typing on cannot make it so.
    case invalid(FieldProblem)
    case good(Value)

    /// What was typed, in the form that goes out; nil unless it is good.
    public var value: Value? { if case .good(let value) = self { value } else { nil } }

    public var verdict: InputVerdict {
        switch self {
        case .empty: .empty
        case .incomplete(let problem): .incomplete(problem)
        case .invalid(let problem): .invalid(problem)
        case .good: .good
        }
    }
}

/// An ``Input`` without what was typed.
public enum InputVerdict: Hashable, Sendable {
    case empty
    case incomplete(FieldProblem)
    case invalid(FieldProblem)
    case good

    /// What is wrong for certain, while the person types.
    public var problemWhileTyping: FieldProblem? { if case .invalid(let problem) = self { problem } else { nil } }

    /// What is wrong once the person says to be done.
    public var problem: FieldProblem? {
        switch self {
        case .empty: .missing
        case .incomplete(let problem), .invalid(let problem): problem
        case .good: nil
        }
    }
}

extension Input {
    /// Judges a text by what its type accepts: incomplete is what one of some endings would make good.
    init(
        _ text: String, endings: [String], _ parse: (String) throws(FieldProblem) -> Value
    ) {
        do throws(FieldProblem) {
            self = .good(try parse(text))
        } catch {
            // A closure that throws in typed form is not what `contains` takes.
            var isBegun = false
            for ending in endings where !isBegun { isBegun = (try? parse(text + ending)) != nil }
            self = isBegun ? .incomplete(error) : .invalid(error)
        }
    }
}

extension String {
    var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
