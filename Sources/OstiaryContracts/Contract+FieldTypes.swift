import OstiaryCore

/// The JSON type of a field.
enum FieldType: Hashable, Sendable {
    /// A scalar, or an array of strings.
    case text, integer, flag, texts
    /// An object with these fields.
    case object([FieldSpec])
    /// An array of objects with these fields.
    case list([FieldSpec])
    /// An object whose member names are defined by the identity provider.
    case map
    /// An object that another specification defines, whose members no contract renames.
    case json
}

extension Contract {
    /// Returns the JSON type of a field in this contract.
    func type(of field: Field) -> FieldType {
        switch field {
        case .id: rules.accountIDs == .integer ? .integer : .text
        case .expiresIn, .recoveryCodesLeft, .maxAge, .authTime: .integer
        case .isAdmin, .rememberMe, .rememberDevice, .current, .required, .allowed: .flag
        case .roles, .recoveryCodes, .amr: .texts
        case .user: .object(user)
        case .deviceInfo:
            .object([.optional(.deviceId), .optional(.platform), .optional(.osVersion), .optional(.appVersion)])
        case .sessions:
            .list([
                .required(.sessionId), .required(.createdAt), .required(.lastUsedAt), .required(.current),
                .optional(.deviceInfo), .optional(.address), .optional(.country), .optional(.userAgent),
                .optional(.actor),
            ])
        case .devices: .list(DeviceSummary.specification)
        case .factors: .list(EnrolledFactor.specification)
        case .permissions: .list(GrantedPermission.specification)
        case .answers: .map
        case .publicKey, .credential: .json
        default: .text
        }
    }
}
