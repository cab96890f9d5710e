"""The built-in OpenID provider, used by external client libraries, and through its pages."""

from upstreams.builtin import clients, discovery, levels, pages, refusals
from upstreams.builtin.provider import Provider


def run(world, configured):
    provider = Provider(world, configured)
    discovery.run(provider)
    pages.registration(provider)
    clients.run(provider)
    levels.run(provider)
    refusals.run(provider)
    pages.run(provider)
