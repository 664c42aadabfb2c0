// A program that does not set Name sends "", which is a valid name. The generated code needs
// github.com/oapi-codegen/runtime 1.8.0 or later.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example/plants"
)

func main() {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("PLANT_STORE_TOKEN"))
		return nil
	}
	client, err := plants.NewClientWithResponses(os.Getenv("BASE_URL"), plants.WithRequestEditorFn(authorize))
	if err != nil {
		panic(err)
	}
	for _, plant := range []plants.NewPlant{
		{Id: 9007199254740993, Name: "Fern"},
		{Id: 9223372036854775807, Name: "Fern"},
		{Id: 9223372036854775807, Name: "Moss"},
	} {
		response, err := client.CreatePlantWithResponse(context.Background(), plant)
		if err != nil {
			panic(err)
		}
		if response.JSON200 != nil {
			fmt.Println(response.JSON200.Name)
		} else {
			fmt.Println(response.JSON400.Error)
		}
	}
}
