import os

from plant_store_client import AuthenticatedClient
from plant_store_client.api.plants import create_plant
from plant_store_client.models import Error, NewPlant

client = AuthenticatedClient(os.environ["BASE_URL"], token=os.environ["PLANT_STORE_TOKEN"])
for name in ("Fern", "Moss"):
    response = create_plant.sync(client=client, body=NewPlant(id=9223372036854775807, name=name))
    print(response.error if isinstance(response, Error) else response.name)
