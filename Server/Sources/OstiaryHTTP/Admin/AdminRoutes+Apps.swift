import OstiaryAdminAPI
import OstiaryCore
import OstiaryEngine

extension AdminRoutes {
    static let apps = [
        AdminRoute(AdminAPI.listApps) { request, query, _ in
            try request.page(request.server.apps.map { AdminApp($0) }, query)
        }
    ]
}

extension AdminApp {
    init(_ app: AdministeredApp) {
        self.init()
        name = app.name.text
        title = app.title
        contract = app.contract ?? "openid"
        basePath = app.basePath
        identitySources = app.identitySources.map { source in
            var value = AdminIdentitySource()
            value.name = source.name
            value.kind = source.kind
            return value
        }
        attributes = app.engine.app.attributes.all.map { definition in
            var value = AdminAttribute()
            value.name = definition.name
            value.type = AdminAttributeType(rawValue: definition.type.rawValue)
            value.access = AdminAttributeAccess(rawValue: definition.access.rawValue)
            value.isVisible = definition.isVisible
            return value
        }
    }
}
