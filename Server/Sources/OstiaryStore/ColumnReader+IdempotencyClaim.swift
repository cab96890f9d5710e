import Foundation
import OstiaryEngine

extension ColumnReader {
    static var idempotentRequestColumns: String { "body_hash, claim, claimed_until, answer" }

    /// Reads ``idempotentRequestColumns`` after an attempt to claim `request`.
    mutating func claim(of request: IdempotentRequest) throws -> IdempotencyClaim {
        let (bodyHash, claim, until) = (try bytes(), try text(), try date())
        let answer = try optionalBytes()
        if claim.utf8.elementsEqual(request.claim.utf8) { return .claimed }
        guard bodyHash == request.bodyHash else { return .differs }
        return answer.map { .answered($0) } ?? .inUse(until: until)
    }
}
