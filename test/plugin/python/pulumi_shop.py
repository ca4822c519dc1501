"""What Pulumi makes of the plugin's schema, as far as the example needs it: it prints what is registered."""

import json
import os
from types import SimpleNamespace

with open(os.environ["SCHEMA"], encoding="utf-8") as file:
    SCHEMA = json.load(file)


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def stated(arguments):
    return {camel(name): value for name, value in arguments.items() if value is not None}


def resource(kind):
    class Resource:
        def __init__(self, name, opts=None, **arguments):
            self.code = arguments.get("code")
            self.count = None
            print(json.dumps({"type": f"shop:index:{kind}", "name": name, "inputs": stated(arguments)}))

    return Resource


def get_collections():
    found = json.loads(os.environ["COLLECTIONS"])
    return SimpleNamespace(collections=[SimpleNamespace(**one) for one in found])


for token in SCHEMA["resources"]:
    globals()[token.split(":")[-1]] = resource(token.split(":")[-1])
for token in SCHEMA["types"]:
    globals()[f"{token.split(':')[-1]}Args"] = lambda **arguments: stated(arguments)
