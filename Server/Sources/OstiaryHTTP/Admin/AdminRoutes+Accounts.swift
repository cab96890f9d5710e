import OstiaryAdminAPI
import OstiaryEngine

extension AdminRoutes {
    static let accounts = [
        AdminRoute(AdminAPI.deleteAccount) { request, _, _ in
            _ = try await request.app.delete(request.account)
            return AdminEmpty()
        },
        AdminRoute(AdminAPI.disableAccount) { request, _, _ in
            _ = try await request.app.setActive(false, request.account)
            return AdminEmpty()
        },
        AdminRoute(AdminAPI.enableAccount) { request, _, _ in
            _ = try await request.app.setActive(true, request.account)
            return AdminEmpty()
        },
        AdminRoute(AdminAPI.setPassword) { request, _, body in
            _ = try await request.app.setPassword(body.password, of: request.account)
            return AdminEmpty()
        },
    ]
}
