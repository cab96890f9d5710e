import OstiaryClient
import OstiaryContracts
public import OstiaryCore

struct ScriptedRefusal: Sendable {
    let matcher: RequestMatcher
    let error: AuthError
    var left: Int?
}

/// What goes wrong in the server. What goes wrong on the way to it is a ``ScriptedTransport``'s.
extension TestServer {
    /// Refuses requests before anything is done. The first refusal that fits, and is not used up, counts.
    ///
    /// ```swift
    /// server.refuse(.signIn(of: .vici), with: .tooManyAttempts(retryAfterSeconds: 30), times: 1)
    /// ```
    ///
    /// - Parameter times: How often; nil for always.
    public func refuse(_ matcher: RequestMatcher = .any, with error: AuthError, times: Int? = nil) {
        script.change { script in
            script.refusals.append(
                ScriptedRefusal(matcher: matcher, error: error, left: times))
        }
    }

    /// Answers 503 from now on.
    public func goDown() { refuse(with: .unavailable(incident: "test")) }

    /// Refuses nothing any more but what its rules refuse.
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
