import Foundation
import OstiaryAdmin
import OstiaryEngine

extension AccountRecord {
    init(_ account: AdminAccount) {
        self.init()
        id = account.id
        username = account.username
        email = account.email
        phoneNumber = account.phoneNumber
        fullName = account.fullName
        roles = account.roles.map { role in role.scope.map { "\(role.role)@\($0)" } ?? role.role }
        active = account.isActive
        authProvider = account.providers.first ?? "local"
        let values = account.attributes.compactMapValues { AttributeValue($0) }
        if !values.isEmpty { attributes = values }
        createdAt = account.createdAt.formatted(.iso8601)
    }
}
