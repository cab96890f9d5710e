import OstiaryAdminAPI
import OstiaryContracts
import OstiaryEngine

extension PersonalData {
    /// Returns everything that is kept about a person in the form of ``AdminExport``. What grows with the account's history is
    /// read from the store while it is written.
    func export(_ settings: AppSettings) throws -> ResponseStream {
        guard case .object(let members) = AdminExport(self, settings).json else { throw AdminRefusal.notFound }
        return ResponseStream { part in
            for (index, member) in members.enumerated() {
                try await part([UInt8(ascii: index == 0 ? "{" : ",")] + JSON.string(member.name).bytes + [0x3A])
                switch member.name {
                case "sessions": try await sessions.write(to: part) { AdminSession($0).json }
                case "audit": try await audit.write(to: part) { AdminAuditEvent($0).json }
                case "messages": try await messages.write(to: part) { AdminMessage($0).json }
                default: try await part(member.value.bytes)
                }
            }
            try await part([UInt8(ascii: "}")])
        }
    }
}

extension PagedRows {
    /// Writes the rows as an array of JSON.
    fileprivate func write(
        to part: (_ bytes: [UInt8]) async throws -> Void, _ json: (Row) -> JSON
    ) async throws {
        var separator = UInt8(ascii: "[")
        try await forEachPage { page in
            var bytes: [UInt8] = []
            for row in page {
                bytes.append(separator)
                bytes += json(row).bytes
                separator = UInt8(ascii: ",")
            }
            if !bytes.isEmpty { try await part(bytes) }
        }
        try await part(separator == UInt8(ascii: "[") ? Array("[]".utf8) : [UInt8(ascii: "]")])
    }
}

extension AdminExport {
    /// Creates an export without the lists that grow with the account's history.
    fileprivate init(_ data: PersonalData, _ settings: AppSettings) {
        self.init()
        exportedAt = data.exportedAt
        account = AdminAccount(data.account, settings)
        // Everything that is kept, also what the app declares no more.
        account.attributes = data.account.account.attributes.mapValues { JSON($0) }
        factors = data.factors.factors.map { AdminFactor($0) }
        devices = data.devices.map { AdminRecognizedDevice($0) }
        identities = data.identities.map { AdminIdentity($0) }
        signInOrigins = data.signInOrigins.map { AdminSignInOrigin($0) }
    }
}

extension AdminSignInOrigin {
    fileprivate init(_ origin: SignInOrigin) {
        self.init()
        lastAt = origin.lastAt
        switch origin.kind {
        case .country(let code): country = code
        case .system(let number): systemNumber = Int(number)
        case .place(let coordinates):
            let meters = Int((coordinates.radiusKilometers * 1000).rounded())
            place = "geo:\(coordinates.latitude),\(coordinates.longitude);u=\(meters)"
        }
    }
}
