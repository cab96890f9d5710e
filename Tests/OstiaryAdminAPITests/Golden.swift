import Foundation
import OstiaryAdminAPI
import OstiaryContracts
import Testing

/// The files under `Golden/`, which were written by hand from the documentation of the API.
enum Golden {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    static func bytes(_ kind: Kind, _ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: "\(kind.rawValue)/\(name).json")))
    }

    static func json(_ kind: Kind, _ type: any AdminValue.Type) throws -> JSON {
        try JSON.read(bytes(kind, type.schemaName))
    }

    static func names(_ kind: Kind) throws -> Set<String> {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: kind.rawValue).path)
        return Set(files.map { String($0.dropLast(".json".count)) })
    }

    enum Kind: String { case answers = "Answers", requests = "Requests" }

    static let answers: [any AdminValue.Type] = [
        AdminAccount.self, AdminRoleAssignment.self, AdminImpersonation.self, AdminSession.self, AdminDevice.self,
        AdminFactor.self, AdminRecognizedDevice.self, AdminIdentity.self, AdminExport.self, AdminSignInOrigin.self,
        AdminRole.self, AdminApp.self, AdminIdentitySource.self, AdminAttribute.self,
        AdminSigningKey.self, AdminAuditEvent.self, AdminMessage.self, AdminServiceKey.self, AdminStatistics.self,
        AdminStatisticsItem.self, AdminStatisticsGroup.self, AdminStatisticsTotals.self, AdminMessageCount.self,
        AdminActiveAccounts.self, AdminEventEndpoint.self, AdminEventSecret.self, AdminEventDelivery.self,
        AdminEventAttempt.self, AdminProblemDetails.self, AdminFieldError.self, AdminPage<AdminAccount>.self,
    ]

    static let requests: [any AdminValue.Type] = [
        AdminAccountCreation.self, AdminAccountPatch.self, AdminPasswordChange.self, AdminRoleAssignments.self,
        AdminImpersonationRequest.self, AdminRoleCreation.self, AdminRolePatch.self, AdminEventEndpointCreation.self,
        AdminEventEndpointPatch.self, AdminAccountQuery.self, AdminPageQuery.self, AdminAuditQuery.self,
        AdminMessageQuery.self, AdminStatisticsQuery.self, AdminEventEndpointQuery.self, AdminEventDeliveryQuery.self,
    ]

    /// Every value with its file, by position, because a type is no argument of a test.
    static let all = (0..<answers.count + requests.count).map { index in
        index < answers.count ? Sample(.answers, index) : Sample(.requests, index - answers.count)
    }
}

/// A value, and the file with an example of it.
struct Sample: Sendable, CustomTestStringConvertible {
    let kind: Golden.Kind
    let type: any AdminValue.Type

    init(_ kind: Golden.Kind, _ index: Int) {
        self.kind = kind
        type = kind == .answers ? Golden.answers[index] : Golden.requests[index]
    }

    var mode: AdminReader.Mode { kind == .requests ? .request : .answer }
    var testDescription: String { type.schemaName }
    func json() throws -> JSON { try Golden.json(kind, type) }
    /// Reads and writes the value.
    func rewritten(_ json: JSON) throws(AdminInputProblem) -> JSON { try type.rewritten(json, mode) }
    /// Returns the positions of the problems in a value.
    func problems(_ json: JSON) -> [AdminFieldError] {
        do throws(AdminInputProblem) {
            _ = try rewritten(json)
            return []
        } catch .invalid(let errors) {
            return errors
        } catch {
            return [AdminFieldError(pointer: "", code: "malformed_json")]
        }
    }
}

extension AdminValue {
    static func rewritten(_ json: JSON, _ mode: AdminReader.Mode) throws(AdminInputProblem) -> JSON {
        try read(json, as: mode).json
    }

    static func queryRewritten(_ json: JSON) throws -> JSON { try read(query: read(json, as: .request).query).json }
}

extension JSON {
    /// The object with one member replaced, or removed for nil.
    func replacing(_ name: String, with value: JSON?) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(
            members.compactMap { member in
                member.name == name ? value.map { JSON.Member(name, $0) } : member
            })
    }

    func adding(_ name: String, _ value: JSON) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members + [JSON.Member(name, value)])
    }

    var members: [JSON.Member] {
        guard case .object(let members) = self else { return [] }
        return members
    }
}
