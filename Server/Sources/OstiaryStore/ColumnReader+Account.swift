import Foundation
import OstiaryCore
import OstiaryEngine

extension ColumnReader {
    /// The columns that ``account()`` reads, of a table with the alias `a`.
    static var accountColumns: String {
        """
        a.app, a.id, a.email, a.username, a.phone_number, a.full_name, a.password_hash, a.roles, a.is_active, a.provider, \
        a.provider_issuer, a.provider_subject, a.is_email_verified, a.is_phone_number_verified, a.credential_version, \
        a.password_reset_channel, a.created_at
        """
    }

    mutating func account() throws -> Account {
        Account(
            app: try value(AppName.init),
            id: try value(AccountID.init),
            email: try optionalValue(EmailAddress.init),
            username: try optionalValue(Username.init),
            phoneNumber: try optionalValue(PhoneNumber.init(_:)),
            fullName: try optionalValue(PersonName.init),
            passwordHash: try optionalText(),
            assignments: try value(RoleList.init).assignments,
            isActive: try bool(),
            provider: try text(),
            providerIssuer: try optionalText(),
            providerSubject: try optionalText(),
            isEmailVerified: try bool(),
            isPhoneNumberVerified: try optionalBool(),
            credentialVersion: Int(try integer()),
            passwordResetChannel: try optionalText().flatMap(PasswordResetChannel.init),
            createdAt: try date())
    }
}
