"""From trees and tags to chunks."""
