import os

from plant_store_client import AuthenticatedClient
from plant_store_client.api.plants import create_plant
from plant_store_client.models import Error, NewPlant

client = AuthenticatedClient(os.environ["BASE_URL"], token=os.environ["PLANT_STORE_TOKEN"])
for plant in (
    NewPlant(id=9007199254740993, name="Fern"),
    NewPlant(id=9223372036854775807, name="Fern"),
    NewPlant(id=9223372036854775807, name="Moss"),
):
    response = create_plant.sync(client=client, body=plant)
    print(response.error if isinstance(response, Error) else response.name)
