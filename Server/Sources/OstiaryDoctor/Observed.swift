/// A fact, or the reason that it could not be observed.
package enum Observed<Value: Sendable>: Sendable {
    case value(Value)
    /// One sentence.
    case unknown(String)

    package func map<Other>(_ body: (Value) -> Other) -> Observed<Other> {
        switch self {
        case .value(let value): .value(body(value))
        case .unknown(let reason): .unknown(reason)
        }
    }
}

extension Observed: Equatable where Value: Equatable {}
