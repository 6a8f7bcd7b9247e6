"""List public test sets, or download one. Without --download no connection is opened.

A test set that was downloaded is checked, kept, and used by its name in place of a file: testset:NAME. It then works offline.

Examples
--------
referee testsets
referee testsets gap-test
referee testsets gap-test --download
referee score testset:gap-test response.tsv
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from referee.basics.exceptions import OptionError, check_name


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="a test set (default: list all)")
    parser.add_argument("--download", action="store_true", help="fetch it from its authors, and keep it")
    parser.add_argument("--mirror", metavar="URL", help="fetch it from this address; the content must be the same")


def run(args: Namespace) -> int:
    """List test sets, explain one, or download it."""
    from referee.inputs.testsets.cache import PREFIX, is_here, path
    from referee.inputs.testsets.registry import ENTRIES

    if args.name is None:
        if args.download or args.mirror:
            raise OptionError("--download fetches one test set; expected its name")
        width = max(map(len, ENTRIES))
        for name, entry in ENTRIES.items():
            where = "here" if is_here(name) else f"{entry.size / 1e6:.1f} MB"
            print(f"{name:{width}}  {entry.title}; {entry.licence}; {where}")
        return 0
    check_name("test set", args.name, ENTRIES)
    if args.mirror and not args.download:
        raise OptionError("--mirror is for --download")
    if args.download:
        from referee.inputs.testsets.download import download  # what opens connections is imported for nothing else

        print(download(args.name, url=args.mirror))
        return 0
    name, entry = args.name, ENTRIES[args.name]
    facts = {
        "licence": entry.licence,
        "cite": entry.paper,
        "address": entry.url,
        "SHA-256": entry.digest,
        "size": f"{entry.size / 1e6:.1f} MB",
        "here": path(name) if is_here(name) else f"no: referee testsets {name} --download",
        "use": f"referee score {PREFIX}{name} RESPONSE",
    }
    print(entry.title)
    for fact, value in facts.items():
        print(f"  {fact:8} {value}")
    return 0
