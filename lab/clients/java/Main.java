import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.PlantsApi;
import org.openapitools.client.model.Error;
import org.openapitools.client.model.NewPlant;

class Main {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(System.getenv("BASE_URL"));
    client.setBearerToken(System.getenv("PLANT_STORE_TOKEN"));
    PlantsApi plants = new PlantsApi(client);
    for (NewPlant plant : List.of(
        new NewPlant().id(9007199254740993L).name("Fern"),
        new NewPlant().id(9223372036854775807L).name("Fern"),
        new NewPlant().id(9223372036854775807L).name("Moss"))) {
      try {
        System.out.println(plants.createPlant(plant).getName());
      } catch (ApiException refused) {
        System.out.println(Error.fromJson(refused.getResponseBody()).getError());
      }
    }
  }
}
