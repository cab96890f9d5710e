import OstiaryClient
import OstiaryContracts
public import OstiaryCore

struct ScriptedRefusal: Sendable {
    let matcher: RequestMatcher
    let error: AuthError
    var left: Int?
}

/// Faults in the server. Faults of the network are added to a ``ScriptedTransport``.
extension TestServer {
    /// Refuses matching requests before the operation runs. The first matching refusal that is not used up applies.
    ///
    /// ```swift
    /// server.refuse(.signIn(of: .vici), with: .tooManyAttempts(retryAfterSeconds: 30), times: 1)
    /// ```
    ///
    /// - Parameters:
    ///   - matcher: The requests to refuse.
    ///   - error: The refusal, written as the contract writes it.
    ///   - times: The number of requests to refuse; `nil` for all.
    public func refuse(_ matcher: RequestMatcher = .any, with error: AuthError, times: Int? = nil) {
        script.change { script in
            script.refusals.append(
                ScriptedRefusal(matcher: matcher, error: error, left: times))
        }
    }

    /// Answers every request with 503 from now on.
    public func goDown() { refuse(with: .unavailable(incident: "test")) }

    /// Removes all refusals that the test has added.
    public func comeBack() { script.change { $0.refusals.removeAll() } }

    func scriptedRefusal(of request: WireRequest) -> AuthError? {
        let call = ScriptedTransport.Call(number: 0, request: request, baseURL: baseURL, deadline: .zero)
        return script.change { script in
            guard let index = script.refusals.firstIndex(where: { $0.left != 0 && $0.matcher.matches(call) }) else {
                return nil
            }
            if let left = script.refusals[index].left { script.refusals[index].left = left - 1 }
            return script.refusals[index].error
        }
    }
}
