extension ConsoleTask {
    var page: any ConsolePage {
        switch self {
        case .newRole, .editRole, .deleteRole: RoleFormPage(task: self)
        case .newServiceKey: NewServiceKeyPage()
        case .newEndpoint, .editEndpoint: EndpointFormPage(task: self)
        case .endpoint: EndpointPage()
        case .revokeServiceKey, .rotateSigningKeys, .retryMessage, .deleteEndpoint, .rotateEndpointSecret,
            .testEndpoint,
            .redeliver:
            ConfirmationPage(task: self)
        }
    }
}
