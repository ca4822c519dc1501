"""What the example needs of Pulumi's SDK, where there is none."""


class Config:
    def __init__(self, name):
        pass

    def get(self, key):
        return None

    get_int = get


class ResourceOptions:
    def __init__(self, **options):
        pass


def export(name, value):
    pass
